import { DOUBTS, type DoubtfulEffect, type EffectCheck, type PastAttempt, type UnrecordedJob } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import { idOf } from '../openapi/mark-ids.js';

const doubt = z
  .object({
    doubt: z
      .enum(DOUBTS)
      .describe(
        '`unknown`: it may have happened, and a person has to look; `repeated`: it was begun again after a try that may have happened; `undone`: a try certainly did not happen.',
      ),
    name: z.string(),
    jobId: z.string().openapi(idOf('job')),
    startedAt: z.iso.datetime(),
    lookFor: z.string().describe('The key that the other side was given.'),
  } satisfies Record<keyof DoubtfulEffect, z.ZodType>)
  .openapi('DoubtfulEffect');

const attempt = z.object({
  attempt: z.int(),
  outcome: z.string(),
  worker: z.string(),
  finishedAt: z.iso.datetime(),
  errorCode: z.string().nullable(),
} satisfies Record<keyof PastAttempt, z.ZodType>);

const unrecorded = z
  .object({
    jobId: z.string().openapi(idOf('job')),
    status: z.string(),
    attempts: z.array(attempt).describe('The newest 10 that did not succeed, the oldest first.'),
  } satisfies Record<keyof UnrecordedJob, z.ZodType>)
  .openapi('UnrecordedJob');

export const effectCheck = z
  .object({
    type: z.string(),
    since: z.iso.datetime(),
    until: z.iso.datetime().describe('Not included.'),
    isProven: z
      .boolean()
      .describe('Nothing that is recorded can have happened twice, and nothing that could is unrecorded.'),
    sentence: z.string(),
    jobs: z.int().describe('Jobs that have begun an effect.'),
    done: z.int().describe('Effects that are done, each once.'),
    doing: z.int().describe('Effects that are being done now.'),
    unknown: z.int(),
    repeated: z.int(),
    undone: z.int().describe('Effects of which a try certainly did not happen, whatever became of them.'),
    doubts: z.array(doubt).describe('The first 100 of each doubt.'),
    unrecorded: z.int().describe('Jobs that have run more than once, and of which no effect is recorded.'),
    unrecordedJobs: z.array(unrecorded).describe('The first 100.'),
  } satisfies Record<keyof EffectCheck, z.ZodType>)
  .openapi('EffectCheck');
