import type { Gathered } from '../claim/gathering.js';
import type { HeldRun } from '../claim/held-run.js';
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
  const { held } = engine;
  stepBack(engine);
  for (;;) {
    const call = held.gathering === null ? null : held.startNextCall();
    if (call !== null) {
      startCall(engine, call, () => startRuns(engine));
      continue;
    }
    const next = held.startNext();
    if (next === null) return;
    startRun(engine, next);
  }
}

/** Makes no promise of the engine's own: one for each step would cost as much as the rest of an attempt. */
function startRun(engine: Engine, held: HeldRun): void {
  const nowMs = engine.clock.monotonicMs();
  engine.held.pace.started(nowMs);
  // later, because giving it back starts the next one
  if (held.expiresMs <= nowMs) return queueMicrotask(() => giveUpStart(engine, held));
  if (!isSure(engine, held, nowMs) || engine.crashHook !== null) void startLate(engine, held);
  else attempt(engine, held, nowMs);
}

/**
 * Starts a run of whose lease the worker is not sure any more, once the database has renewed it; or, in tests, with a
 * crash hook. A run whose lease was not renewed is not started.
 */
async function startLate(engine: Engine, held: HeldRun): Promise<void> {
  const { clock, crashHook } = engine;
  if (!isSure(engine, held, clock.monotonicMs())) await untilSure(engine, held);
  // another worker may have the run: the fence decides whether this release changes anything
  if (isOver(engine, held, clock.monotonicMs()) && held.abort.reason === null) return giveUpStart(engine, held);
  if (crashHook !== null) await crashHook('handler.before', held.run);
  if (held.expiresMs <= clock.monotonicMs()) return giveUpStart(engine, held);
  attempt(engine, held, clock.monotonicMs());
}

function attempt(engine: Engine, held: HeldRun, startedMs: number): void {
  enterRunning(engine, held, startedMs);
  const handler = engine.handlerOf.get(held.run.type)!;
  runAttempt({ engine, held, handler, context: makeContext(engine, held), startedMs }, (result) =>
    endAttempt(engine, held, result),
  );
}

function endAttempt(engine: Engine, held: HeldRun, { settlement, ranMs, ended }: AttemptResult): void {
  if (ended !== null) engine.emit({ name: 'job.overran', run: held.run, worker: engine.name, ranMs });
  if (settlement === null) giveUpRun(engine, held);
  else finishRun(engine, held, settlement, ranMs);
  if (ended === null) return freeSlot(engine, held, ranMs);
  engine.held.stuckSlots++;
  void ended.then(() => {
    engine.held.stuckSlots--;
    freeSlot(engine, held, ranMs);
  });
}

/** Frees the slot of a handler that has really ended, and starts the next runs. */
function freeSlot(engine: Engine, held: HeldRun, ranMs: number): void {
  engine.loop.forget(held);
  engine.held.freeSlot(ranMs);
  startRuns(engine);
}

/** Releases a run that cannot be started, and frees its slot. */
function giveUpStart(engine: Engine, held: HeldRun): void {
  giveBack(engine, held);
  engine.held.freeSlot(0);
  startRuns(engine);
}

/**
 * Starts one call for runs that were gathered. It has one slot, until its handler has really ended; `onFree` is called
 * then. Each run has an attempt, a settlement and a fence of its own: one that is cancelled, or whose lease is lost, is
 * not in the call, or ends while the call goes on.
 */
function startCall(engine: Engine, gathered: Gathered, onFree: () => void): void {
  const nowMs = engine.clock.monotonicMs();
  const areReady = gathered.runs.every((held) => isSure(engine, held, nowMs) && held.expiresMs > nowMs);
  if (!areReady || engine.crashHook !== null) void startCallLate(engine, gathered, onFree);
  else call(engine, gathered, gathered.runs, onFree);
}

/**
 * Starts the call once the database has renewed the leases that the worker is not sure of; see `isSure`. Without those that
 * have expired meanwhile, or whose leases were not renewed.
 */
async function startCallLate(engine: Engine, gathered: Gathered, onFree: () => void): Promise<void> {
  const { clock, crashHook } = engine;
  const unsure = gathered.runs.filter((held) => !isSure(engine, held, clock.monotonicMs()));
  await Promise.all(unsure.map((held) => untilSure(engine, held)));
  const nowMs = clock.monotonicMs();
  const isGone = (held: HeldRun): boolean =>
    held.abort.reason === null && (isOver(engine, held, nowMs) || held.expiresMs <= nowMs);
  const kept = gathered.runs.filter((held) => !isGone(held));
  for (const held of gathered.runs) if (isGone(held)) giveBack(engine, held);
  if (crashHook !== null) for (const held of kept) await crashHook('handler.before', held.run);
  call(engine, gathered, kept, onFree);
}

function call(engine: Engine, gathered: Gathered, runs: readonly HeldRun[], onFree: () => void): void {
  const { contract, by } = gathered;
  const { clock, held: slots, loop } = engine;
  const startedMs = clock.monotonicMs();
  let open = runs.length;
  let isStuck = false;
  const onEnded = (): void => {
    for (const held of runs) loop.forget(held);
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
  for (const [at, held] of runs.entries()) {
    const seat = seats[at]!;
    enterRunning(engine, held, startedMs);
    const context = makeContext(engine, held);
    runAttempt({ engine, held, handler: seat.take, context, startedMs }, (result) => {
      open--;
      // its other attempts were over already, so the slot is all that is left
      if (result.ended !== null && open === 0) {
        isStuck = true;
        slots.stuckSlots++;
        engine.emit({ name: 'job.overran', run: held.run, worker: engine.name, ranMs: result.ranMs });
      }
      endOne(engine, held, result);
      seat.leave();
    });
  }
}

function endOne(engine: Engine, held: HeldRun, { settlement, ranMs }: AttemptResult): void {
  engine.held.stopSharing(held);
  if (settlement === null) giveUpRun(engine, held);
  else finishRun(engine, held, settlement, ranMs);
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
  const { held, clock } = engine;
  if (held.waitingSinceMs() === Infinity || held.stopWatching !== null) return;
  held.stopWatching = clock.after(MAX_WAIT_MS, () => {
    held.stopWatching = null;
    if (clock.monotonicMs() - held.waitingSinceMs() < MAX_WAIT_MS) return releaseStale(engine);
    for (const heldRun of held.takeWaiting()) giveBack(engine, heldRun);
    held.expectSlowness();
  });
}
