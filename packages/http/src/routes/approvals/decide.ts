import { decideApproval } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import { actOf } from '../../access/act-of.js';
import { checkJob } from '../../access/check-job.js';
import type { ApiParts } from '../../api.js';
import { approval } from '../../approvals/present-approval.js';
import { refuseDecision } from '../../approvals/refuse-decision.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { plainText } from '../../http/requests/plain-text.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { idParameter } from '../../openapi/parameters.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { byId } from '../../shards/plans/by-id.js';
import { overQueue } from './show-approval-page.js';

const request = z
  .strictObject({
    name: z.string().min(1).max(200).default('approval').describe('The name of its wait.'),
    choice: z.string().max(200),
    reason: plainText(1_000).optional().describe('The comment, for the handler and for the audit.'),
  })
  .openapi('Decision');

/** `POST /v1/jobs/{id}/approve`: decides what a job asks, as who has signed in or shows an API key. */
export function decide(parts: ApiParts): QueueRoute {
  const { db, queue, databaseUrl } = parts;
  return {
    scope: 'approve',
    isForSomeTypes: true,
    over: overQueue,
    shards: byId,
    doc: {
      method: 'post',
      path: '/v1/jobs/{id}/approve',
      operationId: 'decide',
      summary: 'Decide what a job asks',
      description: 'Once: whoever comes later is told who decided, with `approval_over`.',
      parameters: [idParameter('job')],
      request: { body: { required: true, content: { 'application/json': { schema: request } } } },
      responses: {
        200: answer('The approval, which this has decided.', approval),
        ...problems(
          ...BODY_PROBLEMS,
          'job_not_found',
          'invalid_job_id',
          'approval_not_found',
          'approval_over',
          'not_asked',
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    bodyLimitBytes: 16 * 1024,
    async handle(c) {
      const id = c.req.param('id') ?? '';
      await checkJob(parts, c, id);
      const { name: wait, choice, reason } = parseBody(request, await readJsonBody(c));
      await queue.getJob(id);
      const decided = await retryConflicts(databaseUrl, () =>
        decideApproval(db, { id, wait, choice }, actOf(c, reason)),
      );
      const refusal = refuseDecision(decided);
      if (refusal !== null) throw refusal;
      return c.json(decided.approval);
    },
  };
}
