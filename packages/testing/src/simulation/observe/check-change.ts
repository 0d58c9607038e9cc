import type { LeaseToExtend, WhoseRuns } from '@duework/queue-core/ports';
import type { MemoryRun } from '../../memory/tables/memory-run.js';
import { type Settlement, TRANSITIONS, type Verb } from '@duework/queue-core';
import type { Seen } from './seen.js';

/** A run that a call has changed. */
export interface Change {
  readonly run: MemoryRun;
  readonly before: Seen;
  readonly verb: string;
  readonly args: readonly unknown[];
  readonly caller: string;
  readonly nowMs: number;
}

/** The promise that a change breaks, by docs/understand/state-machine.md; null: none. */
export function checkChange(change: Change): string | null {
  const { run, before, verb } = change;
  if (run.fence < before.fence) return 'the fence only grows';
  if (run.attempts > run.maxAttempts) return 'no more attempts are charged than the run has';
  switch (verb) {
    case 'claim':
      return checkClaim(change);
    case 'settle':
      return checkSettlement(change);
    case 'completeIn':
      return isOwner(before, change.args[1] as { id: string; fence: number }, run.id)
        ? follows(change, 'complete', before.status)
        : ONLY_OWNER;
    case 'extendLeases':
      return checkRenewal(change);
    case 'rescue':
      if (before.status !== 'running' || !(before.lockedUntilMs! < change.nowMs || isOfVanished(change)))
        return 'a rescue takes expired leases only';
      return follows(change, 'rescue', before.status);
    case 'retry':
    case 'cancel':
      return change.args[0] === run.id ? follows(change, verb, before.status) : 'a verb changes the run it names only';
    default:
      return `${verb} changes no run`;
  }
}

/** A rescue that names workers takes their runs; that they are lost is decided by who answers for sessions. */
const isOfVanished = ({ before, args }: Change): boolean =>
  (args[1] as WhoseRuns | undefined)?.workers?.includes(before.worker!) === true;

const ONLY_OWNER = 'only the owner of the lease writes about its run';

function checkClaim({ run, before, args, caller, nowMs, ...change }: Change): string | null {
  if (before.runAtMs > nowMs) return 'nothing runs before it is due';
  if (run.fence <= before.fence || run.attempts !== before.attempts + 1)
    return 'a claim raises the fence and charges an attempt';
  if (run.worker !== caller || run.lockedUntilMs! <= nowMs) return 'a claim grants a lease to the one who claims';
  return follows({ run, before, args, caller, nowMs, ...change }, 'claim', before.status);
}

function checkSettlement(change: Change): string | null {
  const { run, before, args } = change;
  const settlement = (args[0] as readonly Settlement[]).find(
    ({ id, fence }) => id === run.id && fence === before.fence,
  );
  if (settlement === undefined) return ONLY_OWNER;
  // completed in memory by a handler that has thrown since: as if its transaction had been rolled back
  const from = before.status === 'succeeded' && before.isCompletedIn ? 'running' : before.status;
  const isGivenBack = ['snooze', 'release', 'leave'].includes(settlement.kind) && run.status === 'queued';
  if (run.attempts !== before.attempts - (isGivenBack ? 1 : 0))
    return 'a snooze, a release and a run that is left give the attempt back, and nothing else does';
  return follows(change, settlement.kind, from);
}

function checkRenewal({ run, before, args, nowMs }: Change): string | null {
  const lease = (args[0] as readonly LeaseToExtend[]).find(({ id }) => id === run.id);
  if (lease === undefined || !isOwner(before, lease, run.id)) return ONLY_OWNER;
  return run.status === 'running' && run.lockedUntilMs! <= nowMs + lease.leaseMs
    ? null
    : 'a renewal changes nothing but the end of the lease';
}

function isOwner(before: Seen, claim: { readonly id: string; readonly fence: number }, id: string): boolean {
  return before.status === 'running' && claim.id === id && claim.fence === before.fence;
}

function follows({ run, before }: Change, verb: Verb, from: Seen['status']): string | null {
  const next = TRANSITIONS[from][verb] ?? [];
  if (!(Array.isArray(next) ? next : [next]).includes(run.status)) return 'only transitions of the table happen';
  const isRequested = before.cancelRequestedAtMs !== null && from === 'running';
  if (isRequested && (run.status === 'queued' || run.status === 'failed'))
    return 'a run that somebody cancelled does not go back';
  return null;
}
