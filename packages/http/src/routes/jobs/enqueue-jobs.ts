import { z } from '@hono/zod-openapi';
import { enqueueMany } from '@duework/queue-core';
import type { ApiParts } from '../../api.js';
import { answerRepeatable } from '../../http/answer-repeatable.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { checkTypes } from '../../jobs/check-types.js';
import { MAX_BATCH, newJobs } from '../../jobs/new-job.js';
import { enqueuedJob, presentEnqueuedJob } from '../../jobs/present-job.js';
import { readJobRequests } from '../../jobs/read-job-requests.js';
import { answer } from '../../openapi/answers.js';
import { repeatParameter } from '../../openapi/parameters.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, JOB_PROBLEMS, problems, REPEAT_PROBLEMS } from '../../openapi/problems.js';
import { NEW_JOB } from '../../openapi/register-job-schemas.js';
import type { QueueRoute } from '../../queue-route.js';
import { once } from '../../over-queue/refuse-repeats.js';
import { enqueue, jobsOf } from '../../shards/plans/enqueue.js';

export const BATCH_BYTES = 16 * 1024 * 1024;

/** The body of many jobs, for the document. */
export const manyJobs = {
  type: 'object' as const,
  properties: { jobs: { type: 'array' as const, minItems: 1, maxItems: MAX_BATCH, items: { $ref: NEW_JOB } } },
  required: ['jobs'],
  additionalProperties: false,
};

export const enqueuedJobs = z.object({ jobs: z.array(enqueuedJob) }).openapi('EnqueuedJobs');

/**
 * `POST /v1/jobs/batch`: enqueues up to 1,000 jobs in one statement, all or none; the answer has them in the same
 * order.
 */
export function enqueueJobs(parts: ApiParts): QueueRoute {
  return {
    scope: 'enqueue',
    isForSomeTypes: true,
    over: once,
    shards: enqueue(parts, jobsOf),
    doc: {
      method: 'post',
      path: '/v1/jobs/batch',
      operationId: 'enqueueJobs',
      summary: 'Enqueue many jobs, all or none',
      parameters: [repeatParameter],
      request: { body: { required: true, content: { 'application/json': { schema: manyJobs } } } },
      responses: {
        200: answer('Every idempotency key is taken: the jobs that have them.', enqueuedJobs),
        202: answer('The jobs are in the queue, in the order of the request.', enqueuedJobs),
        ...problems(...BODY_PROBLEMS, ...JOB_PROBLEMS, ...REPEAT_PROBLEMS, 'queue_full', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: BATCH_BYTES,
    async handle(c) {
      const principal = c.get('principal');
      const readJobs = async () => parseBody(newJobs, await readJsonBody(c)).jobs;
      return answerRepeatable(
        c,
        parts,
        async (tx) => {
          const requests = readJobRequests(await readJobs(), principal, parts);
          const jobs = await (tx === null ? parts.queue.enqueueMany(requests) : enqueueMany(tx, requests));
          const areAllKnown = jobs.every(({ isDeduplicated }) => isDeduplicated);
          return {
            status: areAllKnown ? 200 : 202,
            body: { jobs: jobs.map((job) => presentEnqueuedJob(job, { principal, catalog: parts.catalog })) },
          };
        },
        async () => checkTypes(principal, await readJobs(), (index) => `/jobs/${index}`),
      );
    },
  };
}
