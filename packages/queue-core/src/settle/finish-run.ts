import { SNOOZE_LIMIT, SUSPECT_LIMIT, UNCOUNTED_SNOOZES, type ClaimedRun, type Settlement } from '../ports/runs.js';
import { gatesToShut } from '../sql/flow/note-gates.js';
import type { Engine } from '../worker/engine.js';
import type { OwnedRun } from '../claim/owned-run.js';
import { withLogs } from './logs-of.js';
import type { WriteAnswer } from './write-settlements.js';
import type { WorkerEvent } from '../events.js';

export type FinishNeeds = Pick<
  Engine,
  'owned' | 'leases' | 'writer' | 'batches' | 'store' | 'report' | 'emit' | 'name' | 'crashHook' | 'shutGates' | 'fault'
>;

/**
 * Has a settlement written, once, then lets go of the run and emits how it ended. A second settlement of the same claim
 * is dropped: a hurried stop may have released the run while its handler was still running.
 */
export function finishRun(engine: FinishNeeds, owned: OwnedRun, decided: Settlement, ranMs: number): void {
  const wasLost = owned.phase === 'lost';
  if (!owned.enter('settling')) return;
  const { gates } = owned.run;
  const told = withSuspicion(engine, withLogs(owned, decided));
  const gated = gates === null ? told : { ...told, gates };
  const settlement = wasLost ? { ...gated, wasLost } : gated;
  if (gates !== null) noteShut(engine, settlement);
  const conclude = (answer: WriteAnswer): void => concludeRun(engine, owned, settlement, answer, ranMs);
  const write = (): void => writeSettlement(engine, owned, settlement, conclude);
  // who follows the run sees how far it came, and not how far it was a second before
  if (settlement.kind === 'complete' && owned.writeProgress !== null) void owned.writeProgress().then(write);
  else write();
}

function writeSettlement(
  { crashHook, writer }: FinishNeeds,
  { run, lease }: OwnedRun,
  settlement: Settlement,
  conclude: (answer: WriteAnswer) => void,
): void {
  if (crashHook === null) return writer.write({ settlement, lease, answer: conclude });
  // a test may end the process before and after the write
  const answer = (given: WriteAnswer): void => {
    if (given === 'lost' || given === 'gave_up') conclude(given);
    else void Promise.resolve(crashHook('settle.committed', run)).then(() => conclude(given));
  };
  void Promise.resolve(crashHook('settle.before', run)).then(() => writer.write({ settlement, lease, answer }));
}

/** A run that is released because its process failed may be the one that took it down, where nobody knows which did. */
function withSuspicion({ fault }: FinishNeeds, decided: Settlement): Settlement {
  const isSuspect = decided.kind === 'release' && decided.reason !== null && fault.isOfAnyRun;
  return isSuspect ? { ...decided, isSuspect } : decided;
}

/** What a handler was told by its provider counts at once in this process, before it is written. */
function noteShut({ shutGates }: FinishNeeds, settlement: Settlement): void {
  if (settlement.kind === 'snooze' && settlement.shutMs !== undefined)
    shutGates.shut(gatesToShut(settlement.gates ?? []), settlement.shutMs);
}

function concludeRun(
  engine: FinishNeeds,
  owned: OwnedRun,
  settlement: Settlement,
  answer: WriteAnswer,
  ranMs: number,
): void {
  owned.enter('ended');
  letGo(engine, owned);
  const batch = owned.run.terms?.batch;
  // a lost one may have been completed by its handler
  if (batch !== undefined && answer !== 'queued' && answer !== 'failed') engine.batches.note(batch);
  if (answer === 'lost') void concludeLost(engine, owned, settlement, ranMs);
  else if (answer !== 'gave_up' || !isToldLost(owned))
    engine.emit(describeEnding(engine.name, owned.run, settlement, answer, ranMs));
}

/**
 * The row may be gone because this very claim has completed it: in the handler's own transaction, or by a write whose
 * answer was lost.
 */
async function concludeLost(
  engine: FinishNeeds,
  owned: OwnedRun,
  settlement: Settlement,
  ranMs: number,
): Promise<void> {
  if (await hasSucceeded(engine, owned))
    engine.emit({ name: 'job.succeeded', run: owned.run, worker: engine.name, ranMs });
  else if (!isToldLost(owned)) engine.emit(describeEnding(engine.name, owned.run, settlement, 'lost', ranMs));
}

async function hasSucceeded(
  { store, report }: Pick<FinishNeeds, 'store' | 'report'>,
  { run }: OwnedRun,
): Promise<boolean> {
  try {
    return await store.isCompleted(run.id, run.fence);
  } catch (error) {
    report.failed('settle', error);
    return false;
  }
}

/**
 * Lets go of a run without a settlement: the fence has refused a write of its handler, so another worker has the run.
 */
export function giveUpRun(engine: Pick<FinishNeeds, 'owned' | 'leases' | 'emit' | 'name'>, owned: OwnedRun): void {
  if (owned.phase === 'settling' || !owned.enter('ended')) return;
  if (!isToldLost(owned)) engine.emit({ name: 'lease.lost', during: 'settle', run: owned.run, worker: engine.name });
  letGo(engine, owned);
}

/** Whether the heartbeat has reported the lost lease already. */
function isToldLost({ abort }: OwnedRun): boolean {
  return abort.reason?.code === 'lease_lost';
}

/** Releases a run whose handler was never called, uncharged. */
export function giveBack(engine: FinishNeeds, owned: OwnedRun): void {
  const { id, fence } = owned.run;
  finishRun(engine, owned, { id, fence, kind: 'release', reason: null, abort: null }, 0);
}

/** Gives what was claimed, and not begun, back to gates that are shut now, uncharged. */
export function stepBack(engine: FinishNeeds): void {
  const { owned, shutGates } = engine;
  if (shutGates.isEmpty) return;
  for (const ownedRun of owned.takeBufferedThat(({ run }) => shutGates.isShutFor(run.gates))) {
    const { id, fence } = ownedRun.run;
    const back = { kind: 'snooze', delayMs: 0, maxSnoozes: UNCOUNTED_SNOOZES, hasBegun: false } as const;
    finishRun(engine, ownedRun, { id, fence, ...back }, 0);
  }
}

/** Lets go of a run that was settled, released or lost. Does nothing the second time. */
export function letGo({ owned: runs, leases }: Pick<Engine, 'owned' | 'leases'>, owned: OwnedRun): void {
  leases.letGo(owned.lease);
  runs.remove(owned);
}

/** What became of a run, as the store has answered. */
function describeEnding(
  worker: string,
  run: ClaimedRun,
  settlement: Settlement,
  answer: WriteAnswer,
  ranMs: number,
): WorkerEvent {
  if (answer === 'lost' || answer === 'gave_up') return { name: 'lease.lost', during: 'settle', run, worker };
  if (answer === 'cancelled') return { name: 'job.cancelled', run, worker, ranMs };
  switch (settlement.kind) {
    case 'complete':
      return { name: 'job.succeeded', run, worker, ranMs };
    case 'fail':
      return { name: 'job.failed', run, worker, ranMs, error: settlement.error, delayMs: settlement.delayMs };
    case 'bury':
      return { name: 'job.dead', run, worker, ranMs, error: settlement.error };
    case 'snooze':
      if (answer === 'dead') return { name: 'job.dead', run, worker, ranMs, error: { ...SNOOZE_LIMIT, stack: null } };
      return { name: 'job.snoozed', run, worker, ranMs, delayMs: settlement.delayMs };
    case 'release':
      if (answer === 'dead') return { name: 'job.dead', run, worker, ranMs, error: { ...SUSPECT_LIMIT, stack: null } };
      return { name: 'job.released', run, worker, reason: settlement.reason };
    case 'leave': {
      const { keyId, delayMs } = settlement;
      return { name: 'job.left', run, worker, code: 'key_missing', keyId, delayMs };
    }
    case 'confirm_cancel':
      return { name: 'job.cancelled', run, worker, ranMs };
  }
}
