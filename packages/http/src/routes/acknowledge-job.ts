import { acknowledgeJob as acknowledge } from '@duework/queue-core';
import { withhold } from '../access/withhold.js';
import type { ApiParts, Route } from '../api.js';
import { retryConflicts } from '../http/retry-conflicts.js';
import { jobDetail } from '../jobs/present-job.js';
import { readJobDetail } from '../jobs/read-job-detail.js';
import { answer } from '../openapi/answers.js';
import { idParameter } from '../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../openapi/problems.js';

/** `POST /v1/jobs/{id}/acknowledge`: records that somebody has looked at a dead job and leaves it dead. */
export function acknowledgeJob({ db, queue, databaseUrl }: ApiParts): Route {
  return {
    scope: 'operate',
    doc: {
      method: 'post',
      path: '/v1/jobs/{id}/acknowledge',
      operationId: 'acknowledgeJob',
      summary: 'Say that somebody has looked at a dead job',
      parameters: [idParameter('job')],
      responses: {
        200: answer('The job, which stays dead.', jobDetail),
        ...problems('job_not_found', 'invalid_job_id', 'transition_not_allowed', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const id = c.req.param('id') ?? '';
      await retryConflicts(databaseUrl, () => acknowledge(db, id));
      return c.json(withhold(c.get('principal'), await readJobDetail(queue, id)));
    },
  };
}
