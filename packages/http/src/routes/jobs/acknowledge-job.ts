import { checkJob } from '../../access/check-job.js';
import type { ApiParts } from '../../api.js';
import { answerExactly } from '../../http/exact-json.js';
import { readAct, reasonBody } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { jobDetail } from '../../jobs/present-job.js';
import { readJobDetail } from '../../jobs/read-job-detail.js';
import { answer } from '../../openapi/answers.js';
import { idParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { byId } from '../../shards/plans/by-id.js';

/** `POST /v1/jobs/{id}/acknowledge`: records that somebody has looked at a dead job and leaves it dead. */
export function acknowledgeJob(parts: ApiParts): QueueRoute {
  const { queue, databaseUrl } = parts;
  return {
    scope: 'operate',
    isForSomeTypes: true,
    over: 'same',
    shards: byId,
    doc: {
      method: 'post',
      path: '/v1/jobs/{id}/acknowledge',
      operationId: 'acknowledgeJob',
      summary: 'Acknowledge a dead job, which stays dead',
      parameters: [idParameter('job')],
      request: reasonBody.request,
      responses: {
        200: answer('The job, which stays dead.', jobDetail),
        ...problems(
          ...reasonBody.problems,
          'job_not_found',
          'invalid_job_id',
          'transition_not_allowed',
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const id = c.req.param('id') ?? '';
      await checkJob(parts, c, id);
      const act = await readAct(c);
      await retryConflicts(databaseUrl, () => queue.acknowledgeJob(id, act));
      return answerExactly(c, await readJobDetail(parts, c, id));
    },
  };
}
