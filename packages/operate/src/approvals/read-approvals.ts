import type { Queryable } from '@duework/queue-core';
import type { ApprovalState } from './approval-state.js';
import { type ApprovalRow, findApprovals } from './sql/find-approvals.js';

/**
 * What a job asks people, the first question first, and what has become of it; of one that asks nothing, or is not
 * there, none.
 */
export async function readApprovals(db: Queryable, id: string): Promise<readonly ApprovalState[]> {
  return (await findApprovals(db, id)).map(toState);
}

function toState({ name, question, until_ms, ...row }: ApprovalRow): ApprovalState {
  const { title, details, choices, by } = question;
  const until = until_ms === null ? null : new Date(until_ms);
  const state = stateOf(row);
  return { name, title, details, choices, by, state, until, decision: state === 'decided' ? row.decision : null };
}

function stateOf({ status, decision, is_time_over, is_live }: Omit<ApprovalRow, 'name' | 'question' | 'until_ms'>) {
  if (decision !== null) return 'decided';
  if (!is_live) return 'over';
  if (status === null) return 'not_yet';
  return status === 'waiting' && !is_time_over ? 'waiting' : 'over';
}
