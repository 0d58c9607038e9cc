import type { ClaimedRun } from '../ports/runs.js';
import type { Look } from '../wake/alarm.js';
import type { Engine } from '../worker/engine.js';
import { HeldRun } from './held-run.js';
import { holdLease } from '../leases/hold-lease.js';
import { loseLease } from '../leases/lose-lease.js';

/** A claim from each queue, on its way. */
export interface Round {
  readonly room: number;
  /** The alarm's mark from before the round was sent: a ring since then cuts the sleep that follows. */
  readonly mark: number;
  /** What the alarm asks of this round; null: it did not ring. */
  readonly look: Look | null;
  /** One for each wake-up that chose this worker. */
  readonly decliners: readonly (() => void)[];
  readonly answer: Promise<Claimed>;
}

export interface Claimed {
  readonly claimed: number;
  readonly dueInMs: number;
  /** Others are claiming from one of the queues, too. */
  readonly isShared: boolean;
  /** Due runs may have been passed by. */
  readonly isPartial: boolean;
}

type Needs = Pick<
  Engine,
  | 'queues'
  | 'store'
  | 'clock'
  | 'contractOf'
  | 'crashHook'
  | 'alarm'
  | 'held'
  | 'leases'
  | 'emit'
  | 'name'
  | 'collectingQueues'
>;

/**
 * Claims from the queues, one after the other, until `room` runs are claimed, or up to `most` where they gather; each of
 * them is held from then on.
 */
export function sendRound(room: number, most: number, turn: number, signal: AbortSignal, engine: Needs): Round {
  const mark = engine.alarm.mark();
  const { look, decliners } = engine.alarm.take();
  const answer = claimUpTo(room, most, turn, signal, engine);
  // a rejection is handled when the loop awaits this round
  answer.catch(() => {});
  return { room, mark, look, decliners, answer };
}

async function claimUpTo(
  room: number,
  most: number,
  turn: number,
  signal: AbortSignal,
  engine: Needs,
): Promise<Claimed> {
  const { queues, store, clock, held, contractOf: contracts } = engine;
  let claimed = 0;
  let dueInMs = Infinity;
  let isShared = false;
  let isPartial = false;
  for (let i = 0; i < queues.length && claimed < room && !signal.aborted; i++) {
    const queue = queues[(turn + i) % queues.length]!;
    const grantedMs = clock.monotonicMs();
    const { startedCount } = held.pace;
    const limit = Math.max(room - claimed, Math.min(most, roomToGather(queue, engine)));
    const claim = await store.claim({ queue, contracts, worker: engine.name, limit });
    if (engine.crashHook !== null) for (const run of claim.runs) await engine.crashHook('claim.committed', run);
    for (const run of claim.runs) hold(run, grantedMs, engine);
    held.pace.claimed(held.bufferedRuns, grantedMs, startedCount);
    claimed += claim.runs.length;
    isShared ||= claim.isShared === true;
    isPartial ||= claim.isPartial === true;
    dueInMs = Math.min(dueInMs, Math.ceil(claim.dueInMs ?? Infinity));
  }
  return { claimed, dueInMs, isShared, isPartial };
}

/** What gathers needs no slot, so a queue of nothing else is asked for more than there are slots for. */
function roomToGather(queue: string, { held: { gathering }, collectingQueues }: Needs): number {
  return gathering !== null && collectingQueues.has(queue) ? gathering.room() : 0;
}

function hold(run: ClaimedRun, grantedMs: number, engine: Needs): void {
  const contract = engine.contractOf.get(run.type)!;
  const held = new HeldRun(run, contract, grantedMs);
  const earlier = engine.held.add(held);
  // this very worker had claimed the run before, and its process was suspended for longer than the lease
  if (earlier !== undefined) {
    loseLease(engine, earlier);
    // the earlier settlement may still be on its way, but a run has only one lease
    engine.leases.letGo(earlier.lease);
  }
  holdLease(engine, held, Infinity);
  engine.emit({ name: 'job.claimed', run, worker: engine.name });
}
