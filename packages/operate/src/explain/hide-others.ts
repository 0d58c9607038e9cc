import type { Explanation, ExplanationCode, ExplanationFacts, GateHolder, Reason } from './explanation.js';
import { makeReason } from './make-reason.js';

/**
 * The same for somebody who sees jobs of these types alone: without who has paused or closed what, and why, because that is
 * about the jobs of all types, and of a job of another type that holds a gate only since when it does.
 */
export function hideOthers({ id, status, further, ...first }: Explanation, types: readonly string[]): Explanation {
  const hide = (reason: Reason): Reason => makeReason(reason.code, hideFacts(reason, types) as never);
  return { id, status, ...hide(first as Reason), further: further.map(hide) };
}

function hideFacts(reason: Reason, types: readonly string[]): ExplanationFacts[ExplanationCode] {
  const hide = (holder: GateHolder | null): GateHolder | null =>
    holder === null || types.includes(holder.type ?? '') ? holder : { ...holder, id: null, type: null, heldBy: null };
  switch (reason.code) {
    case 'paused':
    case 'gate_closed':
      return { ...reason.facts, by: null, reason: null };
    case 'held_by_limit':
      return { ...reason.facts, holder: hide(reason.facts.holder) };
    case 'held_by_order':
      return { ...reason.facts, head: hide(reason.facts.head) };
    case 'held_by_breaker':
      return { ...reason.facts, trying: hide(reason.facts.trying) };
    default:
      return reason.facts;
  }
}
