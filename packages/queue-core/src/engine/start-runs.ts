import { soon, type Clock } from '../clock.js';
import type { ClaimedRun, Settlement } from '../ports/runs.js';
import type { Engine } from './engine.js';
import type { HeldRun } from './held-run.js';
import { isOverByNextLook } from './leases/heartbeat-interval.js';
import { makeContext } from './make-context.js';
import { runAttempt, type AttemptResult } from './run-attempt.js';
import type { SettleAnswer } from './settle.js';
import { AbortReason } from './abort-reason.js';

/** Starts buffered runs while there are free slots. Each frees its slot when its handler has ended, and starts the next. */
export function startRuns(engine: Engine): void {
  for (let next = engine.held.startNext(); next !== null; next = engine.held.startNext()) startHeld(engine, next);
}

/** No promise of the engine's own on this way: one for each step would cost as much as the rest of it. */
function startHeld(engine: Engine, held: HeldRun): void {
  const nowMs = engine.clock.monotonicMs();
  if (isOver(engine, held, nowMs) || engine.crashHook !== null) void startLate(engine, held);
  else attempt(engine, held, nowMs);
}

async function startLate(engine: Engine, held: HeldRun): Promise<void> {
  const { clock, crashHook } = engine;
  if (isOver(engine, held, clock.monotonicMs())) await receiveMessages(clock);
  // another worker may have it, for all that is known here: its fence decides whether there is something to give back
  if (isOver(engine, held, clock.monotonicMs()) && held.abort.reason === null) return giveBack(engine, held);
  if (crashHook !== null) await crashHook('handler.before', held.run);
  attempt(engine, held, clock.monotonicMs());
}

function attempt(engine: Engine, held: HeldRun, startedMs: number): void {
  const { run, contract } = held;
  // what was lost is nobody's to renew
  if (!held.isLetGo) holdLease(engine, held, startedMs + contract.timeoutMs + engine.graceMs + contract.leaseMs);
  const handler = engine.handlerOf.get(run.type)!;
  runAttempt({ engine, held, handler, context: makeContext(engine, held), startedMs }, (result) =>
    finish(engine, held, result),
  );
}

function finish(engine: Engine, held: HeldRun, { settlement, ranMs, ended }: AttemptResult): void {
  if (ended !== null) engine.emit({ name: 'job.overran', run: held.run, worker: engine.name, ranMs });
  if (settlement === null) lose(engine, held);
  else settleHeld(engine, held, settlement, ranMs);
  if (ended === null) goOn(engine, held, ranMs);
  else void ended.then(() => goOn(engine, held, ranMs));
}

/** Its handler has really ended: its slot is free for the next one. */
function goOn(engine: Engine, held: HeldRun, ranMs: number): void {
  engine.loop.forget(held);
  engine.held.freeSlot(ranMs);
  startRuns(engine);
}

/** Its lease has run out, as far as is known here, or will have before its heartbeat looks at it. */
function isOver({ heartbeatMs }: Engine, { lease }: HeldRun, nowMs: number): boolean {
  return isOverByNextLook(lease, nowMs, heartbeatMs);
}

/** Its slot is free for the next one; its handler was never called. */
function giveBack(engine: Engine, held: HeldRun): void {
  const { id, fence } = held.run;
  settleHeld(engine, held, { id, fence, kind: 'release', reason: null, abort: null }, 0);
  engine.held.freeSlot(0);
  startRuns(engine);
}

/**
 * A blocked event loop, or a claim whose answer was slow, has kept this run waiting for about as long as its lease, as far as
 * is known here: before it starts, the loop turns once, so that what its heartbeat has told meanwhile is heard. A run that was lost,
 * or that nobody has renewed, is then not started.
 */
async function receiveMessages(clock: Clock): Promise<void> {
  for (let phase = 0; phase < 2; phase++) await new Promise<void>((resolve) => soon(clock, resolve));
}

/** Asks for the lease to be renewed, until `keepUntilMs` at the most. */
export function holdLease({ leases }: Engine, { lease }: HeldRun, keepUntilMs: number): void {
  lease.keepUntilMs = keepUntilMs;
  leases.hold(lease);
}

/** No longer ours: settled, released or lost. */
export function letGo({ held: runs, leases }: Engine, held: HeldRun): void {
  held.isLetGo = true;
  leases.letGo(held.lease);
  runs.remove(held);
}

/** Nothing to write: the run is somebody else's, as the heartbeat has said, or a write of the handler has found out. */
function lose(engine: Engine, held: HeldRun): void {
  if (!isToldLost(held, 'lost'))
    engine.emit({ name: 'lease.lost', during: 'settle', run: held.run, worker: engine.name });
  letGo(engine, held);
}

/** Another worker may have the run: its handler is told, and nothing is written any more. */
export function loseLease(engine: Engine, held: HeldRun): void {
  // its settlement is on its way, or its handler's own transaction may have completed it: that its row is gone says nothing
  held.isGivenUp = true;
  if (held.isSettling || held.isCompletedIn) return;
  engine.emit({ name: 'lease.lost', during: 'heartbeat', run: held.run, worker: engine.name });
  held.abort.abort(new AbortReason('lease_lost', 'The lease of this run was lost; another worker may have it.'));
  letGo(engine, held);
}

/** Writes what became of a held run, once, tells of it, and lets go of it. */
export function settleHeld(engine: Engine, held: HeldRun, settlement: Settlement, ranMs: number): void {
  // released by a hurried stop while its handler was still running
  if (held.isSettling) return;
  held.isSettling = true;
  const conclude = (answer: SettleAnswer): void => concludeHeld(engine, held, settlement, answer, ranMs);
  const { crashHook, settler } = engine;
  if (crashHook === null) return settler.settle({ settlement, lease: held.lease, answer: conclude });
  // a test may end the process in between
  const answer = (given: SettleAnswer): void => {
    if (given === 'lost' || given === 'gave_up') conclude(given);
    else void Promise.resolve(crashHook('settle.committed', held.run)).then(() => conclude(given));
  };
  void Promise.resolve(crashHook('settle.before', held.run)).then(() =>
    settler.settle({ settlement, lease: held.lease, answer }),
  );
}

function concludeHeld(
  engine: Engine,
  held: HeldRun,
  settlement: Settlement,
  answer: SettleAnswer,
  ranMs: number,
): void {
  letGo(engine, held);
  if (answer === 'lost' && (held.isCompletedIn || settlement.kind === 'complete'))
    void tellLost(engine, held, settlement, ranMs);
  else if (!isToldLost(held, answer)) tell(engine, held.run, settlement, answer, ranMs);
}

async function tellLost(engine: Engine, held: HeldRun, settlement: Settlement, ranMs: number): Promise<void> {
  if (await hasSucceeded(engine, held))
    engine.emit({ name: 'job.succeeded', run: held.run, worker: engine.name, ranMs });
  else if (!isToldLost(held, 'lost')) tell(engine, held.run, settlement, 'lost', ranMs);
}

/** Its row may be gone because the handler's own transaction has completed it, or an answer of the database was lost. */
async function hasSucceeded({ store, report }: Engine, { run }: HeldRun): Promise<boolean> {
  try {
    return await store.isCompleted(run.id, run.fence);
  } catch (error) {
    report.failed('settle', error);
    return false;
  }
}

/** The heartbeat has said so already. */
function isToldLost({ abort }: HeldRun, answer: SettleAnswer): boolean {
  return (answer === 'lost' || answer === 'gave_up') && abort.reason?.code === 'lease_lost';
}

function tell(
  { emit, name: worker }: Engine,
  run: ClaimedRun,
  settlement: Settlement,
  answer: SettleAnswer,
  ranMs: number,
): void {
  if (answer === 'lost' || answer === 'gave_up') return emit({ name: 'lease.lost', during: 'settle', run, worker });
  if (answer === 'cancelled') return emit({ name: 'job.cancelled', run, worker, ranMs });
  switch (settlement.kind) {
    case 'complete':
      return emit({ name: 'job.succeeded', run, worker, ranMs });
    case 'fail':
      return emit({ name: 'job.failed', run, worker, ranMs, error: settlement.error, delayMs: settlement.delayMs });
    case 'bury':
      return emit({ name: 'job.dead', run, worker, ranMs, error: settlement.error });
    case 'snooze':
      return emit({ name: 'job.snoozed', run, worker, ranMs, delayMs: settlement.delayMs });
    case 'release':
      return emit({ name: 'job.released', run, worker, reason: settlement.reason });
    case 'confirm_cancel':
      return emit({ name: 'job.cancelled', run, worker, ranMs });
  }
}
