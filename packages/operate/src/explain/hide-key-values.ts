import { ruleOfKey } from '../flow/rule-of-key.js';
import type { Explanation, ExplanationCode, ExplanationFacts, Reason } from './explanation.js';
import { makeReason } from './make-reason.js';

/** The same, with the rules of gates for their keys: for somebody who may not read payloads, of which keys are made. */
export function hideKeyValues({ id, status, further, ...first }: Explanation): Explanation {
  return { id, status, ...hide(first as Reason), further: further.map(hide) };
}

function hide({ code, facts, sentence }: Reason): Reason {
  if (!('key' in facts)) return { code, facts, sentence } as Reason;
  return makeReason(code, { ...facts, key: ruleOfKey(facts.key) } as ExplanationFacts[ExplanationCode] as never);
}
