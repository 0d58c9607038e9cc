import type { Engine } from '../worker/engine.js';
import { finishRun, giveUpRun, giveBack, stepBack } from '../settle/finish-run.js';
import type { HeldRun } from '../claim/held-run.js';
import { makeContext } from './make-context.js';
import { isOver, isSure, untilSure, enterRunning } from '../leases/hold-lease.js';
import { runAttempt, type AttemptResult } from './run-attempt.js';
import { startCall } from './start-call.js';

/**
 * Starts buffered runs while there are free slots. Each frees its slot when its handler has ended, and starts the next.
 */
export function startRuns(engine: Engine): void {
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
  if (held.expiresMs <= nowMs) return queueMicrotask(() => giveBack(engine, held));
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
  if (held.expiresMs <= clock.monotonicMs()) return giveBack(engine, held);
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
