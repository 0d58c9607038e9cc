import { z } from '@hono/zod-openapi';
import type { Catalog } from '@duework/contracts';
import { STATUSES, type EnqueuedJob, type Job, type JobAttempt } from '@duework/queue-core';
import { mayCompare } from '../access/shown/may-compare.js';
import type { Principal } from '../access/principal.js';
import { idOf } from '../openapi/mark-ids.js';

const time = z.iso.datetime().openapi({ example: '2026-01-31T09:00:00.000Z' });
const id = z
  .string()
  .regex(/^[1-9]\d*$/)
  .openapi({ example: '42', ...idOf('job') });
const status = z.enum(STATUSES).describe('`failed` will be retried by itself; `dead` is given up.');
const text = z.string().nullable();

/** A job as the answer to an enqueue has it. */
export const enqueuedJob = z
  .object({
    id,
    type: z.string(),
    status,
    runAt: time,
    deduplicated: z.boolean().describe('It was there before, under the same key.'),
    payloadDiffers: z
      .boolean()
      .optional()
      .describe(
        'That job has another payload, which stays: the one of this request was not stored. Only with the scope payloads.',
      ),
  })
  .openapi('EnqueuedJob');

/** A job as queue-core returns it; `Date`s become ISO 8601 in UTC when they are written as JSON. */
export const job = z
  .object({
    id,
    type: z.string(),
    version: z.int(),
    queue: z.string(),
    status,
    priority: z.int(),
    runAt: time,
    payload: z.unknown().optional().describe('Shown with the scope `payloads`, as are `progress` and `result`.'),
    idempotencyKey: text,
    attempts: z.int().describe('Attempts that were charged.'),
    maxAttempts: z.int(),
    fence: z.int().describe('Increases with every claim.'),
    worker: text,
    lockedUntil: time.nullable(),
    claimedAt: time.nullable(),
    failedAt: time.nullable(),
    errorCode: text,
    errorType: text,
    lastError: text.describe('Shown with the scope `payloads`, because errors quote values; otherwise null.'),
    cancelRequestedAt: time.nullable(),
    cancelRequestedBy: text,
    cancelReason: text,
    progress: z.unknown().optional().describe('How far the handler says it is.'),
    result: z.unknown().optional(),
    createdAt: time,
    finishedAt: time.nullable(),
    snoozes: z.int().describe('How often its handler asked for later.'),
    snoozedAt: time.nullable(),
    expiresAt: time.nullable().describe('When it is cancelled unless it has started.'),
    retryUntil: time.nullable().describe('No retry of it begins later.'),
    releases: z.int().describe('How often a worker that stopped gave it back while its handler ran.'),
    acknowledgedAt: time.nullable().describe('When somebody acknowledged it; it stays dead.'),
    meta: z.record(z.string(), z.string()).nullable().describe('What was enqueued beside the payload: a traceparent.'),
    heldBy: text
      .describe(
        'The key of the gate at which it waits, or of a pause that holds it back there; null: at none. Without the scope `payloads` it is without the value that it is by.',
      )
      .openapi({ example: 'limit/send_mail.accountId/7' }),
    isSuspended: z.boolean().describe('Its handler waits: for a time, a signal or a job.'),
    batch: text.describe('The batch that it belongs to.').openapi(idOf('batch')),
    gates: z
      .array(z.object({ key: z.string(), units: z.int().describe('How much it takes.') }).openapi('JobGate'))
      .optional()
      .describe('The keys at which there has to be room before it starts. Shown with the scope `payloads`.'),
  } satisfies Record<keyof Job, z.ZodType>)
  .openapi('Job');

/** One attempt that failed or was interrupted; or that succeeded, where its contract keeps its logs. */
export const jobAttempt = z
  .object({
    attempt: z.int(),
    fence: z.int(),
    outcome: z.enum(['failed', 'lost', 'interrupted', 'cancelled', 'succeeded']),
    worker: z.string(),
    claimedAt: time,
    finishedAt: time,
    errorCode: text,
    errorType: text,
    errorMessage: text.describe('Shown with the scope `payloads`, as is `errorStack`; otherwise null.'),
    errorStack: text,
    logs: text.describe(
      'What its handler logged last, where its worker or its contract keeps that. Shown with the scope `payloads`.',
    ),
    abortCode: z
      .enum(['timeout', 'cancelled', 'shutting_down'])
      .nullable()
      .describe('Why the handler was told to stop.'),
    abortStage: z.enum(['signalled', 'killed', 'lease_revoked']).nullable().describe('How far that had to go.'),
  } satisfies Record<keyof JobAttempt, z.ZodType>)
  .openapi('JobAttempt');

/** One job with the attempts that are on record, oldest first. */
export const jobDetail = job.extend({ attemptHistory: z.array(jobAttempt) }).openapi('JobDetail');

export const jobPage = z
  .object({
    jobs: z.array(job),
    nextCursor: z
      .string()
      .nullable()
      .describe('null: this was the last page. A page with few jobs, or none, need not be the last.'),
    previousCursor: z.string().nullable().describe('Leads back; null: this is the first page.'),
    complete: z
      .boolean()
      .describe('false: the search stopped at its limit before the page was full; nextCursor goes on from there.'),
    hint: text.describe('Where the page is not complete: which term would help.'),
  })
  .openapi('JobPage');

export const endedPage = z
  .object({
    jobs: z.array(job),
    cursor: z.string().describe('Leads to what ends after this page.'),
    caughtUp: z.boolean().describe('false: more has ended; ask at once.'),
  })
  .openapi('EndedJobs');

/**
 * The answer to an enqueue, as its caller may see it: who could ask whether a payload is equal would find out what is in it
 * by guessing.
 */
export function presentEnqueuedJob(
  { id, type, status, runAt, isDeduplicated, payloadDiffers }: EnqueuedJob,
  { principal, catalog }: { readonly principal: Principal; readonly catalog: Catalog },
): object {
  const shown = { id, type, status, runAt, deduplicated: isDeduplicated };
  return mayCompare(catalog, principal, type) ? { ...shown, payloadDiffers } : shown;
}
