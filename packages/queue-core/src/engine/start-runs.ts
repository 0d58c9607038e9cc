import type { ClaimedRun, Settlement } from '../store/store.js';
import type { Engine } from './engine.js';
import type { HeldRun } from './held-runs.js';
import { runAttempt } from './run-attempt.js';
import type { SettleAnswer } from './settle.js';

/** Starts buffered runs while there are free slots. Each frees its slot when its handler has ended, and starts the next. */
export function startRuns(engine: Engine): void {
  for (let next = engine.held.startNext(); next !== null; next = engine.held.startNext()) void runHeld(engine, next);
}

async function runHeld(engine: Engine, held: HeldRun): Promise<void> {
  const { run, contract, controller } = held;
  const { clock, random, graceMs } = engine;
  const handler = engine.handlerOf.get(run.type)!;
  const result = await runAttempt({ run, contract, handler, log: engine.logOf(run), clock, random, controller, graceMs });
  if (result.isOverrun) engine.emit({ name: 'job.overran', run, worker: engine.name, ranMs: result.ranMs });
  const settled = result.settlement === null ? drop(engine, held) : settleHeld(engine, held, result.settlement, result.ranMs);
  await result.ended;
  engine.held.freeSlot();
  startRuns(engine);
  await settled;
}

/** Nothing to write: the lease is somebody else's. */
async function drop(engine: Engine, held: HeldRun): Promise<void> {
  engine.held.remove(held);
}

/** Writes what became of a held run, tells of it, and lets go of it. */
export async function settleHeld(engine: Engine, held: HeldRun, settlement: Settlement, ranMs: number): Promise<SettleAnswer> {
  held.isSettling = true;
  const answer = await engine.settler.settle({ settlement, giveUpAtMs: () => held.grantedMs + held.contract.leaseMs });
  engine.held.remove(held);
  tell(engine, held.run, settlement, answer, ranMs);
  return answer;
}

function tell({ emit, name: worker }: Engine, run: ClaimedRun, settlement: Settlement, answer: SettleAnswer, ranMs: number): void {
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
    case 'stop':
      // nobody had asked to cancel it after all
      return emit({ name: 'job.released', run, worker, reason: 'cancel_not_requested' });
  }
}
