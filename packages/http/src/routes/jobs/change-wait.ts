import { changeWait as change, type WaitChange } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import { actOf } from '../../access/act-of.js';
import { checkJob } from '../../access/check-job.js';
import { ApiError } from '../../api-error.js';
import type { ApiParts } from '../../api.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { reason } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { idParameter } from '../../openapi/parameters.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import { byId } from '../../shards/plans/by-id.js';

const request = z
  .strictObject({
    name: z.string().min(1).max(200).describe('The name of the wait, as GET /v1/jobs/{id}/steps has it.'),
    verb: z
      .enum(['skip', 'fail', 'extend'])
      .describe(
        '`skip`: as if its time were over. `fail`: the handler gets a StepFailedError with the reason. `extend`: until `until`.',
      ),
    until: z.iso.datetime({ offset: true }).optional().describe('Of `extend`: a later deadline.'),
    reason,
  })
  .refine(({ verb, until }) => (verb === 'extend') === (until !== undefined), {
    path: ['until'],
    message: 'It belongs to extend, which needs it',
  })
  .openapi('ChangeWait');

/** `POST /v1/jobs/{id}/change-wait`: ends a wait by hand, or gives it more time. */
export function changeWait(parts: ApiParts): QueueRoute {
  const { db, queue, databaseUrl } = parts;
  return {
    scope: 'operate',
    isForSomeTypes: true,
    over: needsDatabase('This queue does not change what a job waits for.'),
    shards: byId,
    doc: {
      method: 'post',
      path: '/v1/jobs/{id}/change-wait',
      operationId: 'changeWait',
      summary: 'Skip, fail or extend a wait of a job',
      description: 'Only a wait with a deadline is skipped or extended; for a child, cancel or retry that.',
      parameters: [idParameter('job')],
      request: { body: { required: true, content: { 'application/json': { schema: request } } } },
      responses: {
        200: answer('It is done.', z.object({ isChanged: z.literal(true) })),
        ...problems(...BODY_PROBLEMS, 'job_not_found', 'invalid_job_id', 'wait_not_changeable', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: 16 * 1024,
    async handle(c) {
      const id = c.req.param('id') ?? '';
      await checkJob(parts, c, id);
      const { name, verb, until, reason: why } = parseBody(request, await readJsonBody(c));
      await queue.getJob(id);
      const what: WaitChange = verb === 'extend' ? { verb, until: new Date(until!) } : { verb };
      if (await retryConflicts(databaseUrl, () => change(db, { id, name, ...what }, actOf(c, why))))
        return c.json({ isChanged: true });
      throw new ApiError(
        'wait_not_changeable',
        `Job ${id} does not wait in ${JSON.stringify(name)} so that one could ${verb} it: only a wait with a deadline is skipped or extended, and to a later one.`,
      );
    },
  };
}
