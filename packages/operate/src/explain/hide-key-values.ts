import { ruleOfKey } from '../flow/rule-of-key.js';
import type { Explanation, Reason } from './explanation.js';
import { makeReason } from './make-reason.js';

/** The same, with the rules of gates for their keys: for somebody who may not read payloads, of which keys are made. */
export function hideKeyValues({ id, status, further, ...first }: Explanation): Explanation {
  return { id, status, ...hide(first as Reason), further: further.map(hide) };
}

function hide({ code, facts, sentence }: Reason): Reason {
  if (!('key' in facts)) return { code, facts, sentence } as Reason;
  const shown = { ...facts, key: ruleOfKey(facts.key) };
  if (!('head' in shown) || shown.head === null || shown.head.heldBy === null) return makeReason(code, shown as never);
  return makeReason(code, { ...shown, head: { ...shown.head, heldBy: ruleOfKey(shown.head.heldBy) } } as never);
}
