import { retryJob as retry } from '@duework/queue-core';
import type { ApiParts, Route } from '../api.js';
import { retryConflicts } from '../http/retry-conflicts.js';
import { jobDetail } from '../jobs/present-job.js';
import { readJobDetail } from '../jobs/read-job-detail.js';
import { answer } from '../openapi/answers.js';
import { idParameter } from '../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../openapi/problems.js';

/** `POST /v1/jobs/{id}/retry`: runs it now. A body is not read. */
export function retryJob({ db, databaseUrl }: ApiParts): Route {
  return {
    doc: {
      method: 'post',
      path: '/v1/jobs/{id}/retry',
      operationId: 'retryJob',
      summary: 'Run a job now',
      description: 'A waiting job becomes due; a dead or cancelled one comes back with all its attempts.',
      parameters: [idParameter('job')],
      responses: {
        200: answer('The job, which is due.', jobDetail),
        ...problems('job_not_found', 'invalid_job_id', 'transition_not_allowed', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const id = c.req.param('id') ?? '';
      await retryConflicts(databaseUrl, () => retry(db, id));
      return c.json(await readJobDetail(db, id));
    },
  };
}
