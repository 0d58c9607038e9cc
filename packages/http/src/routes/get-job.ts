import { withhold } from '../access/withhold.js';
import type { ApiParts, Route } from '../api.js';
import { jobDetail } from '../jobs/present-job.js';
import { readJobDetail } from '../jobs/read-job-detail.js';
import { answer } from '../openapi/answers.js';
import { idParameter } from '../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../openapi/problems.js';

/** `GET /v1/jobs/{id}`: one job, live or finished, with its failed attempts. */
export function getJob({ queue }: ApiParts): Route {
  return {
    scope: 'read',
    doc: {
      method: 'get',
      path: '/v1/jobs/{id}',
      operationId: 'getJob',
      summary: 'Look a job up',
      parameters: [idParameter('job')],
      responses: {
        200: answer('The job.', jobDetail),
        ...problems('job_not_found', 'invalid_job_id', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      return c.json(withhold(c.get('principal'), await readJobDetail(queue, c.req.param('id') ?? '')));
    },
  };
}
