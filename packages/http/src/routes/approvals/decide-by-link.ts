import { BlockList } from 'node:net';
import { decideApproval } from '@duework/operate';
import { ApiError } from '../../api-error.js';
import type { ApiContext, ApiParts } from '../../api.js';
import { answerApproval, withPage } from '../../approvals/approval-page.js';
import { idHere, readLink } from '../../approvals/linked-approval.js';
import { refuseDecision } from '../../approvals/refuse-decision.js';
import { callerOf } from '../../access/authorize/caller-of.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { byLink } from '../../shards/plans/by-link.js';
import { overQueue, page, token } from './show-approval-page.js';

/**
 * `POST /approvals/{token}`: what the form of the page sends. The link says who decides what, so that no other page can
 * send it.
 */
export function decideByLink({ db, databaseUrl, proxies = new BlockList() }: ApiParts): QueueRoute {
  return {
    scope: 'public',
    over: overQueue,
    shards: byLink,
    doc: {
      method: 'post',
      path: '/approvals/{token}',
      operationId: 'decideByLink',
      summary: 'Decide behind a link',
      description: 'Whoever accepts text/html gets refusals as pages, too.',
      request: { params: token },
      responses: {
        200: page('The decision is taken.'),
        ...problems(
          'not_found',
          'approval_not_found',
          'approval_over',
          'not_asked',
          'invalid_body',
          'invalid_option',
          'incomplete_body',
          'body_too_large',
          'rate_limited',
          'overloaded',
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    bodyLimitBytes: 16 * 1024,
    handle: (c) =>
      withPage(c, async () => {
        const link = readLink(c);
        const { choice, comment } = await readForm(c);
        const act = { by: `link:${link.to}`, via: 'api', from: callerOf(c, proxies).address, reason: comment } as const;
        const decision = { id: idHere(link), wait: link.wait, choice };
        const decided = await retryConflicts(databaseUrl, () => decideApproval(db, decision, act));
        const { approval } = decided;
        const refusal = refuseDecision(decided);
        if (approval === null) throw refusal!;
        const said = refusal === null ? `Thank you: ${choice}.` : undefined;
        return answerApproval(c, { approval, to: link.to, said, refusal });
      }),
  };
}

/** What a form sends, without the line breaks that a comment of the audit may not have. */
async function readForm(c: ApiContext): Promise<{ readonly choice: string; readonly comment: string | null }> {
  const text = await c.req.text().catch((cause: unknown) => {
    throw new ApiError('incomplete_body', 'The connection ended before the body did.', { cause });
  });
  const form = new URLSearchParams(text);
  const comment = (form.get('comment') ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim();
  return { choice: form.get('choice') ?? '', comment: comment === '' ? null : comment.slice(0, 1_000) };
}
