import type { Act, Queryable } from '@duework/queue-core';
import { checkAct } from '@duework/queue-core/internals';
import type { ApprovalRefusal, ApprovalState } from './approval-state.js';
import { readApprovals } from './read-approvals.js';
import { decide, type NewDecision } from './sql/decide.js';

/** What came of it: the approval as it is now, and why it was not this decision; null: it was. */
export interface DecidedApproval {
  readonly refusal: ApprovalRefusal | null;
  /** null: there is no such approval. */
  readonly approval: ApprovalState | null;
}

/** `person:ana@example.org` and `link:ana@example.org` are asked as `ana@example.org`, too. */
const isAsked = (asked: readonly string[], by: string): boolean =>
  asked.includes(by) || asked.includes(by.replace(/^(person|link):/, ''));

/**
 * Decides an approval once: of two who decide at the same time one does, and the other is told who it was. `act.by` decides, and
 * `act.reason` is the comment that the handler gets. Throws `invalid_option` for an act that the audit could not keep.
 */
export async function decideApproval(db: Queryable, decision: NewDecision, act: Act): Promise<DecidedApproval> {
  checkAct(act);
  const find = async (): Promise<ApprovalState | null> =>
    (await readApprovals(db, decision.id)).find(({ name }) => name === decision.wait) ?? null;
  const approval = await find();
  if (approval === null) return { refusal: 'not_found', approval };
  if (approval.by !== null && !isAsked(approval.by, act.by ?? 'program')) return { refusal: 'not_asked', approval };
  if (approval.state !== 'waiting') return { refusal: approval.state, approval };
  if (!approval.choices.includes(decision.choice)) return { refusal: 'no_choice', approval };
  const isOurs = await decide(db, decision, act);
  const after = (await find()) ?? approval;
  if (isOurs) return { refusal: null, approval: after };
  return { refusal: after.state === 'waiting' ? 'not_yet' : after.state, approval: after };
}
