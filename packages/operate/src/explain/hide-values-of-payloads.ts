import { ruleOfKey } from '../flow/rule-of-key.js';
import type { Explanation, Reason } from './explanation.js';
import { makeReason } from './make-reason.js';

/**
 * The same for somebody who may not read payloads: of which the keys of gates are made, so that their rules stand for
 * them, and which the texts of errors often quote.
 */
export function hideValuesOfPayloads({ id, status, further, ...first }: Explanation): Explanation {
  return { id, status, ...hide(first as Reason), further: further.map(hide) };
}

function hide({ code, facts, sentence }: Reason): Reason {
  if ('lastError' in facts) return makeReason(code, { ...facts, lastError: null } as never);
  if (!('key' in facts)) return { code, facts, sentence } as Reason;
  const shown = { ...facts, key: ruleOfKey(facts.key) };
  if (!('head' in shown) || shown.head === null || shown.head.heldBy === null) return makeReason(code, shown as never);
  return makeReason(code, { ...shown, head: { ...shown.head, heldBy: ruleOfKey(shown.head.heldBy) } } as never);
}
