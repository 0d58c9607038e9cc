import type { Gathered } from '../claim/gathering.js';
import type { HeldRun } from '../claim/held-run.js';
import { isOver, isSure, untilSure, enterRunning } from '../leases/hold-lease.js';
import { finishRun, giveUpRun, giveBack } from '../settle/finish-run.js';
import type { Engine } from '../worker/engine.js';
import type { CollectHandler } from './collect-handler.js';
import { CollectedCall } from './collected-call.js';
import { makeContext } from './make-context.js';
import { runAttempt, type AttemptResult } from './run-attempt.js';
import { warnOfResult } from '../settle/outcome.js';

/**
 * Starts one call for runs that were gathered. It has one slot, until its handler has really ended; `onFree` is called
 * then. Each run has an attempt, a settlement and a fence of its own: one that is cancelled, or whose lease is lost, is
 * not in the call, or ends while the call goes on.
 */
export function startCall(engine: Engine, gathered: Gathered, onFree: () => void): void {
  const nowMs = engine.clock.monotonicMs();
  const isSureOfAll = gathered.runs.every((held) => isSure(engine, held, nowMs));
  if (!isSureOfAll || engine.crashHook !== null) void startLate(engine, gathered, onFree);
  else call(engine, gathered, gathered.runs, onFree);
}

/** Starts the call once the database has renewed the leases that the worker is not sure of; see `isSure`. */
async function startLate(engine: Engine, gathered: Gathered, onFree: () => void): Promise<void> {
  const { clock, crashHook } = engine;
  const unsure = gathered.runs.filter((held) => !isSure(engine, held, clock.monotonicMs()));
  await Promise.all(unsure.map((held) => untilSure(engine, held)));
  const nowMs = clock.monotonicMs();
  const isGone = (held: HeldRun): boolean => held.abort.reason === null && isOver(engine, held, nowMs);
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
