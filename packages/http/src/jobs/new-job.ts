import { LONGEST_MS, type Duration } from '@duework/contracts';
import type { EnqueueOptions } from '@duework/queue-core';
import { z } from '@hono/zod-openapi';

/** Ten years. */
const MAX_DELAY_SECONDS = LONGEST_MS / 1_000;

const runAt = z.iso
  .datetime({
    offset: true,
    error: ({ input }) => {
      const isLocal = typeof input === 'string' && z.iso.datetime({ local: true }).safeParse(input).success;
      if (isLocal) return 'The time has no zone: end it with Z or an offset such as +01:00';
      return 'Not an ISO 8601 time with a zone, such as 2026-01-31T09:00:00Z or 2026-01-31T10:00:00+01:00';
    },
  })
  .refine((text) => {
    const year = new Date(text).getUTCFullYear();
    return year >= 1970 && year <= 9999;
  }, 'The time is outside the years 1970 to 9999');

/** The body of one new job without its payload, which has a schema per type. */
export const newJob = z
  .strictObject({
    type: z.string().min(1).max(63),
    payload: z.unknown().optional(),
    runAt: runAt.optional().describe('Not before this moment; now unless given. Not together with delaySeconds.'),
    delaySeconds: z.number().min(0).max(MAX_DELAY_SECONDS).optional().describe('Not before so many seconds from now.'),
    priority: z.int().min(0).max(9).optional().describe('0 (first) to 9 (last); that of the type unless given.'),
    expiresAfterSeconds: z
      .number()
      .min(0.001)
      .max(MAX_DELAY_SECONDS)
      .nullable()
      .optional()
      .describe(
        'Cancelled where it has not started so long after it was due; as the type says unless given, null: never.',
      ),
    queue: z.string().min(1).max(63).optional().describe('One of those that the type allows; its own unless given.'),
    idempotencyKey: z
      .string()
      .min(1)
      .max(10_000)
      .nullable()
      .optional()
      .describe(
        'The key of the business event; that of the type unless given, and null for none. Over 255 characters its first 190 and its SHA-256 are kept.',
      ),
    maxAttempts: z
      .int()
      .min(1)
      .max(1_000)
      .optional()
      .describe('Attempts before the job is dead; those of the type unless given.'),
  })
  .refine((job) => job.runAt === undefined || job.delaySeconds === undefined, {
    path: ['delaySeconds'],
    error: 'runAt and delaySeconds exclude each other',
  });

/** The same as its enqueue is told it. */
export function optionsOf({
  type: _,
  payload: __,
  runAt: at,
  delaySeconds,
  expiresAfterSeconds,
  ...same
}: z.output<typeof newJob>): EnqueueOptions {
  return {
    // what a body does not have is not in it, undefined or not
    ...(same as EnqueueOptions),
    ...(at === undefined ? {} : { runAt: new Date(at) }),
    ...(delaySeconds === undefined ? {} : { delay: toDuration(delaySeconds, 0) }),
    ...(expiresAfterSeconds === undefined
      ? {}
      : { expiresAfter: expiresAfterSeconds === null ? null : toDuration(expiresAfterSeconds, 1) }),
  };
}

const toDuration = (seconds: number, leastMs: number): Duration =>
  `${Math.max(leastMs, Math.round(seconds * 1_000))}ms`;

export const MAX_BATCH = 1_000;

/** The entries are checked one by one, so that a wrong one adds nothing but its own faults. */
export const newJobs = z.strictObject({ jobs: z.array(z.unknown()).min(1).max(MAX_BATCH) });
