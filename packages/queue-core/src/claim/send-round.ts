import type { Look } from '../wake/alarm.js';
import type { Engine } from '../worker/engine.js';
import { holdClaimed } from './hold-claimed.js';

/** A claim from each queue, on its way. */
export interface Round {
  readonly room: number;
  /** When it was sent, on the process clock. */
  readonly sentMs: number;
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
  const sentMs = engine.clock.monotonicMs();
  const { look, decliners } = engine.alarm.take();
  const answer = claimUpTo(room, most, turn, signal, engine);
  // a rejection is handled when the loop awaits this round
  answer.catch(() => {});
  return { room, sentMs, mark, look, decliners, answer };
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
    for (const run of claim.runs) holdClaimed(engine, run, grantedMs);
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
