import { z } from '@hono/zod-openapi';
import type { Figures, QueueState, Times } from '@duework/operate';
import { pause } from './present-pause.js';

const time = z.iso.datetime();
const ms = z.number().nullable();

const times = z
  .object({
    count: z.int(),
    meanMs: ms,
    p50Ms: ms.describe('Half took less; within a factor of two.'),
    p95Ms: ms,
  } satisfies Record<keyof Times, z.ZodType>)
  .openapi('Times');

const figures = z
  .object({
    at: time.describe('When the step begins.'),
    queue: z.string(),
    type: z.string(),
    claimed: z.int().describe('Attempts that began.'),
    succeeded: z.int(),
    failed: z.int().describe('Attempts that are tried again.'),
    dead: z.int(),
    cancelled: z.int(),
    snoozed: z.int(),
    wait: times.describe('From due to claimed.'),
    run: times.describe('How long attempts took.'),
    due: z.int().nullable().describe('The most that was due at one of the samples of each minute.'),
    running: z.int().nullable(),
    held: z.int().nullable().describe('As `due`: of those that wait at a gate of flow control.'),
    oldestWaitingSeconds: z.number().nullable(),
  } satisfies Record<keyof Figures, z.ZodType>)
  .openapi('Figures');

export const figuresList = z.object({ figures: z.array(figures) }).openapi('FiguresList');

// not nullable(): of a schema with a name that becomes one which does not fit null
const knownTimes = z.union([times, z.null()]);

const queueState = z
  .object({
    queue: z.string(),
    type: z.string().describe('Empty: nothing of the queue waits or ran lately.'),
    due: z.int(),
    scheduled: z.int(),
    held: z.int().describe('Due, and waiting at a gate of flow control.'),
    retrying: z.int(),
    running: z.int(),
    oldestWaitingSeconds: z.number(),
    isAtLeast: z.boolean().describe('The queue has more runs than were counted.'),
    claimed: z
      .int()
      .nullable()
      .describe('Within the last five minutes, as all that follow; null: this queue keeps no figures of the past.'),
    succeeded: z.int().nullable(),
    failed: z.int().nullable(),
    dead: z.int().nullable(),
    wait: knownTimes,
    run: knownTimes,
    perSecond: z
      .number()
      .nullable()
      .describe('How many began in a second since what waits in the queue began to wait; null: none did lately.'),
    arrivalsPerSecond: z
      .number()
      .nullable()
      .describe('How many came due in a second within five minutes, retries among them; null: it is not known yet.'),
    slotsNeeded: z
      .number()
      .nullable()
      .describe('How many slots these need: their number times the mean time of an attempt; null: it is not known.'),
    lastFailedAt: time
      .nullable()
      .describe('None has failed since, as far as workers have written it: to the minute. null: none failed lately.'),
    succeededSince: z.int().nullable().describe('How many have succeeded since the last failure.'),
    pauses: z.array(pause).describe('Of its queue and of its type.'),
  } satisfies Record<keyof QueueState, z.ZodType>)
  .openapi('QueueState');

export const queueList = z.object({ queues: z.array(queueState) }).openapi('QueueList');
