import { z } from '@hono/zod-openapi';
import { STATUSES } from '@duework/queue-core';
import type { JobState } from '@duework/operate';
import { idOf } from '../openapi/mark-ids.js';

const time = z.iso.datetime();

/** What a stream tells of a job. */
export const jobState = z
  .object({
    id: z.string().openapi(idOf('job')),
    type: z.string(),
    queue: z.string(),
    status: z.enum(STATUSES),
    attempts: z.int(),
    maxAttempts: z.int(),
    runAt: time,
    claimedAt: time.nullable(),
    finishedAt: time.nullable(),
    progress: z.unknown().optional().describe('Only with the scope payloads.'),
    errorCode: z.string().nullable(),
    cancelRequestedAt: time.nullable(),
    heldBy: z.string().nullable().describe('The key of the gate at which it waits; null: at none.'),
    revision: z.string().describe('Another one after each change.'),
  } satisfies Record<keyof JobState, z.ZodType>)
  .openapi('JobState');
