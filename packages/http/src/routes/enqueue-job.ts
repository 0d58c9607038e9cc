import type { ApiParts, Route } from '../api.js';
import { readJsonBody } from '../http/read-json-body.js';
import { retryConflicts } from '../http/retry-conflicts.js';
import { singleBodyLimit } from '../http/single-body-limit.js';
import { enqueuedJob, presentEnqueuedJob } from '../jobs/present-job.js';
import { readJobRequest } from '../jobs/read-job-request.js';
import { answerWithLocation } from '../openapi/answers.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, JOB_PROBLEMS, problems } from '../openapi/problems.js';
import { NEW_JOB } from '../openapi/register-job-schemas.js';

/** `POST /v1/jobs`: enqueues one job. With a key that is taken, answers 200 with the job that has it. */
export function enqueueJob(parts: ApiParts): Route {
  return {
    scope: 'enqueue',
    doc: {
      method: 'post',
      path: '/v1/jobs',
      operationId: 'enqueueJob',
      summary: 'Enqueue a job',
      request: { body: { required: true, content: { 'application/json': { schema: { $ref: NEW_JOB } } } } },
      responses: {
        200: answerWithLocation('The idempotency key is taken: the job that has it.', enqueuedJob),
        202: answerWithLocation('The job is in the queue.', enqueuedJob),
        ...problems(...BODY_PROBLEMS, ...JOB_PROBLEMS, 'queue_full', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: singleBodyLimit(parts),
    async handle(c) {
      const request = readJobRequest(await readJsonBody(c), parts);
      const [job] = await retryConflicts(parts.databaseUrl, () => parts.queue.enqueueMany([request]));
      return c.json(presentEnqueuedJob(job!), job!.isDeduplicated ? 200 : 202, { Location: `/v1/jobs/${job!.id}` });
    },
  };
}
