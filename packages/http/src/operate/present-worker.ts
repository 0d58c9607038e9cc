import { z } from '@hono/zod-openapi';
import type { LeasedRun, LiveWorker, QueueSlots, ReadableType } from '@duework/operate';
import { idOf } from '../openapi/mark-ids.js';

const time = z.iso.datetime();
const text = z.string().nullable();

const worker = z
  .object({
    name: z.string(),
    host: text,
    pid: z.int().nullable(),
    codeVersion: text.describe('What its program was told; null: nothing.'),
    startedAt: time,
    seenAt: time.describe('When it last reported; it does so once a minute.'),
    queues: z.array(z.string()),
    types: z.array(
      z.object({ type: z.string(), oldestVersion: z.int(), version: z.int() } satisfies Record<
        keyof ReadableType,
        z.ZodType
      >),
    ),
    slots: z.int().nullable().describe('How many handlers it runs at once.'),
    declaredSlots: z.int().nullable().describe('How many its program was given; slots differs if that was changed.'),
    changedSlots: z
      .array(
        z.object({ queue: z.string(), slots: z.int(), since: time, by: text, reason: text } satisfies Record<
          keyof QueueSlots,
          z.ZodType
        >),
      )
      .describe('What was set for its queues; the least holds.'),
    running: z.int().nullable().describe('How many of them were taken when it was seen.'),
    buffered: z.int().nullable().describe('Claimed ahead of a free slot.'),
    loopDelayMs: z.number().nullable().describe('How late its event loop was.'),
    shutBy: text.describe('What kept it from claiming; null: nothing did.'),
    held: z.int().describe('How many runs it holds now.'),
    runs: z
      .array(
        z.object({
          id: z.string().openapi(idOf('job')),
          type: z.string(),
          queue: z.string(),
          attempt: z.int(),
          claimedAt: time,
          lockedUntil: time,
        } satisfies Record<keyof LeasedRun, z.ZodType>),
      )
      .describe('The first hundred of them.'),
    isAtLeast: z.boolean().describe('More jobs are due than were searched: it may hold more.'),
    state: z
      .enum(['claims', 'shut', 'silent', 'stalled', 'lost'])
      .describe(
        'lost: its session has ended. stalled: it has renewed no lease for half of its time. silent: it has not reported for 100 s.',
      ),
    stalledMs: z
      .number()
      .nullable()
      .describe('For how long it has renewed nothing; null: it renews, or holds nothing.'),
  } satisfies Record<keyof LiveWorker, z.ZodType>)
  .openapi('LiveWorker');

export const workerList = z.object({ workers: z.array(worker) }).openapi('WorkerList');
