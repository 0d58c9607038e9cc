import { readApprovals } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import type { ApiParts } from '../../api.js';
import { answerApproval, withPage } from '../../approvals/approval-page.js';
import { idHere, readLink } from '../../approvals/linked-approval.js';
import { refuseDecision } from '../../approvals/refuse-decision.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import type { QueueRoute } from '../../queue-route.js';
import { byLink } from '../../shards/plans/by-link.js';

export const page = (description: string) => ({
  description,
  content: { 'text/html': { schema: { type: 'string' as const } } },
});
export const token = z.object({ token: z.string() });
export const overQueue = needsDatabase('This queue keeps no approvals.');

/** `GET /approvals/{token}`: what somebody is asked, for who has the link. It decides nothing, whoever opens it. */
export function showApprovalPage({ db }: ApiParts): QueueRoute {
  return {
    scope: 'public',
    over: overQueue,
    shards: byLink,
    doc: {
      method: 'get',
      path: '/approvals/{token}',
      operationId: 'showApprovalPage',
      summary: 'Show what somebody is asked, behind a link',
      description: 'Whoever accepts text/html gets refusals as pages, too.',
      request: { params: token },
      responses: {
        200: page('What is asked, and a form if it can be decided.'),
        ...problems('not_found', 'approval_not_found', ...DATABASE_PROBLEMS),
      },
    },
    handle: (c) =>
      withPage(c, async () => {
        const link = readLink(c);
        const approval = (await readApprovals(db, idHere(link))).find(({ name }) => name === link.wait);
        if (approval === undefined) throw refuseDecision({ refusal: 'not_found', approval: null })!;
        const { state } = approval;
        const said = state === 'waiting' ? undefined : refuseDecision({ refusal: state, approval })!.message;
        return answerApproval(c, { approval, to: link.to, said });
      }),
  };
}
