import { BlockList } from 'node:net';
import { decideApproval } from '@duework/operate';
import { ApiError } from '../../api-error.js';
import type { ApiContext, ApiParts } from '../../api.js';
import { answerApproval } from '../../approvals/approval-page.js';
import { idHere, readLink } from '../../approvals/linked-approval.js';
import { sayRefusal } from '../../approvals/refuse-decision.js';
import { callerOf } from '../../access/authorize/caller-of.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { byLink } from '../../shards/plans/by-link.js';
import { overQueue, page, token } from './show-approval-page.js';

const STATUSES = { not_found: 404, not_asked: 403, no_choice: 422, decided: 409, over: 409, not_yet: 409 } as const;

/** `POST /approvals/{token}`: what the form of the page sends. The link says who decides what, so that no other page can send it. */
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
      request: { params: token },
      responses: {
        200: page('The decision is taken.'),
        409: page('It was decided before, or can no longer be.'),
        ...problems('not_found', 'incomplete_body', 'body_too_large', 'key_ring_missing', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: 16 * 1024,
    async handle(c) {
      const link = readLink(c);
      const { choice, comment } = await readForm(c);
      const act = { by: `link:${link.to}`, via: 'api', from: callerOf(c, proxies).address, reason: comment } as const;
      const decision = { id: idHere(link), wait: link.wait, choice };
      const decided = await retryConflicts(databaseUrl, () => decideApproval(db, decision, act));
      const { refusal, approval } = decided;
      const said = sayRefusal(decided) ?? `Thank you: ${choice}.`;
      return answerApproval(c, { approval, to: link.to, said, status: refusal === null ? 200 : STATUSES[refusal] });
    },
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
