import { z } from '@hono/zod-openapi';
import { findContract, type JobChange } from '@duework/queue-core';
import { actOf } from '../../access/act-of.js';
import { checkEdit } from '../../access/check-edit.js';
import { checkJob } from '../../access/check-job.js';
import type { ApiContext, ApiParts } from '../../api.js';
import { answerExactly } from '../../http/exact-json.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { reason as why } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { singleBodyLimit } from '../../http/requests/single-body-limit.js';
import { newJob } from '../../jobs/new-job.js';
import { jobDetail } from '../../jobs/present-job.js';
import { readJobDetail } from '../../jobs/read-job-detail.js';
import { answer } from '../../openapi/answers.js';
import { idParameter } from '../../openapi/parameters.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, JOB_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { byId } from '../../shards/plans/by-id.js';

const { runAt, delaySeconds, priority, maxAttempts } = newJob.shape;
const request = z
  .strictObject({
    payload: z
      .unknown()
      .optional()
      .describe(
        'Another payload, as a whole; the contract of its type checks it. Needs the scope `payloads`, or `sensitive` where the contract calls a field sensitive.',
      ),
    runAt: runAt.describe('Due at this moment. Not together with delaySeconds.'),
    delaySeconds: delaySeconds.describe('Due so many seconds from now.'),
    priority: priority.describe('0 (first) to 9 (last).'),
    maxAttempts: maxAttempts.describe('Attempts before the job is dead; more than it has spent.'),
    reason: why,
  })
  .openapi('UpdateJob');

const OF_ENQUEUE: readonly string[] = ['invalid_idempotency_key', 'queue_not_allowed', 'job_exists'];

/** `PATCH /v1/jobs/{id}`: changes a job that waits. */
export function updateJob(parts: ApiParts): QueueRoute {
  const { queue, databaseUrl, catalog, payloadLimitBytes } = parts;
  // a job keeps its type
  const readPayload = async (c: ApiContext, id: string, payload: unknown) => {
    const { type } = (await queue.getJob(id)).job;
    checkEdit(parts, c.get('principal'), { types: [type], path: [], pointer: '/payload' });
    return { contract: findContract(catalog, type), payload: payload as never };
  };
  return {
    scope: 'operate',
    isForSomeTypes: true,
    over: 'same',
    shards: byId,
    doc: {
      method: 'patch',
      path: '/v1/jobs/{id}',
      operationId: 'updateJob',
      summary: 'Change a job that waits',
      description: 'What is left out stays. A job that runs, or is over, is left as it is.',
      parameters: [idParameter('job')],
      request: { body: { required: true, content: { 'application/json': { schema: request } } } },
      responses: {
        200: answer('The job, as it was changed.', jobDetail),
        ...problems(
          ...BODY_PROBLEMS,
          ...JOB_PROBLEMS.filter((code) => !OF_ENQUEUE.includes(code)),
          'job_not_found',
          'invalid_job_id',
          'job_is_running',
          'job_is_over',
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    bodyLimitBytes: singleBodyLimit(parts),
    async handle(c) {
      const id = c.req.param('id') ?? '';
      await checkJob(parts, c, id);
      const { payload, reason, ...given } = parseBody(request, await readJsonBody(c));
      const change: JobChange = {
        priority: given.priority,
        maxAttempts: given.maxAttempts,
        runAt: given.runAt === undefined ? undefined : new Date(given.runAt),
        delay: given.delaySeconds === undefined ? undefined : `${Math.round(given.delaySeconds * 1_000)}ms`,
        payloadLimitBytes,
      };
      const whole = payload === undefined ? change : { ...change, ...(await readPayload(c, id, payload)) };
      await retryConflicts(databaseUrl, () => queue.updateJob(id, whole, actOf(c, reason)));
      return answerExactly(c, await readJobDetail(parts, c, id));
    },
  };
}
