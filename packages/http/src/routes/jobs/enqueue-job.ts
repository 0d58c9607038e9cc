import { enqueueMany } from '@duework/queue-core';
import type { ApiParts } from '../../api.js';
import { answerRepeatable } from '../../http/answer-repeatable.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { singleBodyLimit } from '../../http/requests/single-body-limit.js';
import { checkTypes } from '../../jobs/check-types.js';
import { enqueuedJob, presentEnqueuedJob } from '../../jobs/present-job.js';
import { readJobRequest } from '../../jobs/read-job-request.js';
import { answerWithLocation } from '../../openapi/answers.js';
import { repeatParameter } from '../../openapi/parameters.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, JOB_PROBLEMS, problems, REPEAT_PROBLEMS } from '../../openapi/problems.js';
import { NEW_JOB } from '../../openapi/register-job-schemas.js';
import type { QueueRoute } from '../../queue-route.js';
import { once } from '../../over-queue/refuse-repeats.js';
import { enqueue } from '../../shards/plans/enqueue.js';

/** `POST /v1/jobs`: enqueues one job. With a key that is taken, answers 200 with the job that has it. */
export function enqueueJob(parts: ApiParts): QueueRoute {
  return {
    scope: 'enqueue',
    isForSomeTypes: true,
    over: once,
    shards: enqueue(parts, (body) => [['', body]]),
    doc: {
      method: 'post',
      path: '/v1/jobs',
      operationId: 'enqueueJob',
      summary: 'Enqueue a job',
      parameters: [repeatParameter],
      request: { body: { required: true, content: { 'application/json': { schema: { $ref: NEW_JOB } } } } },
      responses: {
        200: answerWithLocation('The idempotency key is taken: the job that has it.', enqueuedJob),
        202: answerWithLocation('The job is in the queue.', enqueuedJob),
        ...problems(...BODY_PROBLEMS, ...JOB_PROBLEMS, ...REPEAT_PROBLEMS, 'queue_full', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: singleBodyLimit(parts),
    async handle(c) {
      const principal = c.get('principal');
      return answerRepeatable(
        c,
        parts,
        async (tx) => {
          const request = readJobRequest(await readJsonBody(c), principal, parts);
          const [job] = await (tx === null ? parts.queue.enqueueMany([request]) : enqueueMany(tx, [request]));
          const headers = { Location: `/v1/jobs/${job!.id}` };
          return {
            status: job!.isDeduplicated ? 200 : 202,
            headers,
            body: presentEnqueuedJob(job!, { principal, catalog: parts.catalog }),
          };
        },
        async () => checkTypes(principal, [await readJsonBody(c)], () => ''),
      );
    },
  };
}
