import type { Explanation, Reason } from './explanation.js';
import { makeReason } from './make-reason.js';

/** The same, without who has paused a queue or a type, and why: for somebody who may not see the pauses. */
export function hidePausers({ id, status, further, ...first }: Explanation): Explanation {
  return { id, status, ...hide(first as Reason), further: further.map(hide) };
}

const hide = (reason: Reason): Reason =>
  reason.code === 'paused' ? makeReason('paused', { ...reason.facts, by: null, reason: null }) : reason;
