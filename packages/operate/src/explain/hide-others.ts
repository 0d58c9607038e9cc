import type { Queryable } from '@duework/queue-core';
import { findJobTypes } from '../search/sql/find-job-types.js';
import type { Explanation, ExplanationCode, ExplanationFacts, GateHolder, OpenWait, Reason } from './explanation.js';
import { makeReason } from './make-reason.js';

/**
 * The same for somebody who sees jobs of these types alone: without who has paused or closed what, and why, because that is
 * about the jobs of all types; of a job of another type that holds a gate only since when it does, and of one that is waited for not
 * which it is.
 */
export async function hideOthers(
  db: Queryable,
  { id, status, further, ...first }: Explanation,
  types: readonly string[],
): Promise<Explanation> {
  const typeOf = await findJobTypes(db, [first as Reason, ...further].flatMap(awaitedJobs));
  const isOwn = (job: string): boolean => types.includes(typeOf.get(job) ?? '');
  const hide = (reason: Reason): Reason => makeReason(reason.code, hideFacts(reason, types, isOwn) as never);
  return { id, status, ...hide(first as Reason), further: further.map(hide) };
}

const isForJob = ({ kind, of }: OpenWait): boolean => kind === 'job' && of !== null;

const awaitedJobs = (reason: Reason): string[] =>
  reason.code === 'suspended' ? reason.facts.waits.filter(isForJob).map(({ of }) => of!) : [];

function hideFacts(
  reason: Reason,
  types: readonly string[],
  isOwn: (job: string) => boolean,
): ExplanationFacts[ExplanationCode] {
  const hide = (holder: GateHolder | null): GateHolder | null =>
    holder === null || types.includes(holder.type ?? '') ? holder : { ...holder, id: null, type: null, heldBy: null };
  switch (reason.code) {
    case 'paused':
    case 'gate_closed':
      return { ...reason.facts, by: null, reason: null };
    case 'suspended': {
      const waits = reason.facts.waits.map((wait) =>
        isForJob(wait) && !isOwn(wait.of!) ? { ...wait, of: null } : wait,
      );
      return { ...reason.facts, waits };
    }
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
