import type { Gathered } from '../claim/gathering.js';
import type { OwnedRun } from '../claim/owned-run.js';
import { enterRunning, isOver, isSure, untilSure } from '../leases/hold-lease.js';
import { finishRun, giveBack, giveUpRun, stepBack, type FinishNeeds } from '../settle/finish-run.js';
import { warnOfResult } from '../settle/check-result.js';
import type { Engine } from '../worker/engine.js';
import { CollectedCall } from './collected-call.js';
import type { CollectHandler } from './handler.js';
import { makeContext } from './make-context.js';
import { runAttempt, type AttemptResult } from './run-attempt.js';

/** Starts what there are slots for, and has the rest given back where it gets none in time. */
export function startNow(engine: Engine): void {
  startRuns(engine);
  releaseStale(engine);
}

/**
 * Starts buffered runs while there are free slots. Each frees its slot when its handler has ended, and starts the next.
 */
function startRuns(engine: Engine): void {
  const { owned } = engine;
  stepBack(engine);
  for (;;) {
    const call = owned.gathering === null ? null : owned.startNextCall();
    if (call !== null) {
      startCall(engine, call, () => startRuns(engine));
      continue;
    }
    const next = owned.startNext();
    if (next === null) return;
    startRun(engine, next);
  }
}

/** Makes no promise of the engine's own: one for each step would cost as much as the rest of an attempt. */
function startRun(engine: Engine, owned: OwnedRun): void {
  const nowMs = engine.clock.monotonicMs();
  engine.owned.pace.started(nowMs);
  // later, because giving it back starts the next one
  if (owned.expiresMs <= nowMs) return queueMicrotask(() => giveUpStart(engine, owned));
  if (!isSure(engine, owned, nowMs) || engine.crashHook !== null) void startLate(engine, owned);
  else attempt(engine, owned, nowMs);
}

/**
 * Starts a run of whose lease the worker is not sure any more, once the database has renewed it; or, in tests, with a
 * crash hook. A run whose lease was not renewed is not started.
 */
async function startLate(engine: Engine, owned: OwnedRun): Promise<void> {
  const { clock, crashHook } = engine;
  if (!isSure(engine, owned, clock.monotonicMs())) await untilSure(engine, owned);
  // another worker may have the run: the fence decides whether this release changes anything
  if (isOver(engine, owned, clock.monotonicMs()) && owned.abort.reason === null) return giveUpStart(engine, owned);
  if (crashHook !== null) await crashHook('handler.before', owned.run);
  if (owned.expiresMs <= clock.monotonicMs()) return giveUpStart(engine, owned);
  attempt(engine, owned, clock.monotonicMs());
}

function attempt(engine: Engine, owned: OwnedRun, startedMs: number): void {
  enterRunning(engine, owned, startedMs);
  const handler = engine.handlerOf.get(owned.run.type)!;
  runAttempt({ engine, owned, handler, context: makeContext(engine, owned), startedMs }, (result) =>
    endAttempt(engine, owned, result),
  );
}

function endAttempt(engine: Engine, owned: OwnedRun, { settlement, ranMs, ended }: AttemptResult): void {
  if (ended !== null) engine.emit({ name: 'job.overran', run: owned.run, worker: engine.name, ranMs });
  if (settlement === null) giveUpRun(engine, owned);
  else finishRun(engine, owned, settlement, ranMs);
  if (ended === null) return freeSlot(engine, owned, ranMs);
  engine.owned.stuckSlots++;
  void ended.then(() => {
    engine.owned.stuckSlots--;
    freeSlot(engine, owned, ranMs);
  });
}

/** Frees the slot of a handler that has really ended, and starts the next runs. */
function freeSlot(engine: Engine, owned: OwnedRun, ranMs: number): void {
  engine.loop.forget(owned);
  engine.owned.freeSlot(ranMs);
  startRuns(engine);
}

/** Releases a run that cannot be started, and frees its slot. */
function giveUpStart(engine: Engine, owned: OwnedRun): void {
  giveBack(engine, owned);
  engine.owned.freeSlot(0);
  startRuns(engine);
}

/**
 * Starts one call for runs that were gathered. It has one slot, until its handler has really ended; `onFree` is called
 * then. Each run has an attempt, a settlement and a fence of its own: one that is cancelled, or whose lease is lost, is
 * not in the call, or ends while the call goes on.
 */
function startCall(engine: Engine, gathered: Gathered, onFree: () => void): void {
  const nowMs = engine.clock.monotonicMs();
  const areReady = gathered.runs.every((owned) => isSure(engine, owned, nowMs) && owned.expiresMs > nowMs);
  if (!areReady || engine.crashHook !== null) void startCallLate(engine, gathered, onFree);
  else call(engine, gathered, gathered.runs, onFree);
}

/**
 * Starts the call once the database has renewed the leases that the worker is not sure of; see `isSure`. Without those that
 * have expired meanwhile, or whose leases were not renewed.
 */
async function startCallLate(engine: Engine, gathered: Gathered, onFree: () => void): Promise<void> {
  const { clock, crashHook } = engine;
  const unsure = gathered.runs.filter((owned) => !isSure(engine, owned, clock.monotonicMs()));
  await Promise.all(unsure.map((owned) => untilSure(engine, owned)));
  const nowMs = clock.monotonicMs();
  const isGone = (owned: OwnedRun): boolean =>
    owned.abort.reason === null && (isOver(engine, owned, nowMs) || owned.expiresMs <= nowMs);
  const kept = gathered.runs.filter((owned) => !isGone(owned));
  for (const owned of gathered.runs) if (isGone(owned)) giveBack(engine, owned);
  if (crashHook !== null) for (const owned of kept) await crashHook('handler.before', owned.run);
  call(engine, gathered, kept, onFree);
}

function call(engine: Engine, gathered: Gathered, runs: readonly OwnedRun[], onFree: () => void): void {
  const { contract, by } = gathered;
  const { clock, owned: slots, loop } = engine;
  const startedMs = clock.monotonicMs();
  let open = runs.length;
  let isStuck = false;
  const onEnded = (): void => {
    for (const owned of runs) loop.forget(owned);
    if (isStuck) slots.stuckSlots--;
    slots.freeSlot(clock.monotonicMs() - startedMs);
    slots.gathering!.ended(gathered);
    onFree();
  };
  if (runs.length === 0) return onEnded();
  const handler = engine.handlerOf.get(contract.type) as unknown as CollectHandler;
  const { seats } = new CollectedCall(handler, by, runs.length, onEnded, ({ log }) =>
    warnOfResult(engine, contract, log, 'what its handler returned is neither a list nor a map of outcomes'),
  );
  for (const [at, owned] of runs.entries()) {
    const seat = seats[at]!;
    enterRunning(engine, owned, startedMs);
    const context = makeContext(engine, owned);
    runAttempt({ engine, owned, handler: seat.take, context, startedMs }, (result) => {
      open--;
      // its other attempts were over already, so the slot is all that is left
      if (result.ended !== null && open === 0) {
        isStuck = true;
        slots.stuckSlots++;
        engine.emit({ name: 'job.overran', run: owned.run, worker: engine.name, ranMs: result.ranMs });
      }
      endOne(engine, owned, result);
      seat.leave();
    });
  }
}

function endOne(engine: Engine, owned: OwnedRun, { settlement, ranMs }: AttemptResult): void {
  engine.owned.stopSharing(owned);
  if (settlement === null) giveUpRun(engine, owned);
  else finishRun(engine, owned, settlement, ranMs);
}

/**
 * A run claimed ahead should start within 50 ms; when it has not started within this, the handlers have become slow.
 */
const MAX_WAIT_MS = 1_000;

/**
 * Releases runs that were claimed ahead and get no slot here, uncharged, so that a worker with a free slot gets them;
 * then claims nothing ahead until the next handler has ended. Checks once a second while a run waits.
 */
function releaseStale(engine: FinishNeeds & Pick<Engine, 'clock'>): void {
  const { owned, clock } = engine;
  if (owned.waitingSinceMs() === Infinity || owned.stopWatching !== null) return;
  owned.stopWatching = clock.after(MAX_WAIT_MS, () => {
    owned.stopWatching = null;
    if (clock.monotonicMs() - owned.waitingSinceMs() < MAX_WAIT_MS) return releaseStale(engine);
    for (const ownedRun of owned.takeWaiting()) giveBack(engine, ownedRun);
    owned.expectSlowness();
  });
}
