import type { Look } from '../wake/alarm.js';
import type { Engine } from '../worker/engine.js';
import { holdLease, loseLease } from '../leases/hold-lease.js';
import type { ClaimedRun } from '../ports/runs.js';
import { OwnedRun } from './owned-run.js';
import { startNow } from '../run/start-runs.js';
import { giveBack } from '../settle/finish-run.js';
import type { Taking } from './next-in-line.js';
import { spreadPoll } from '../clock.js';

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
  | 'owned'
  | 'leases'
  | 'emit'
  | 'name'
  | 'collectingQueues'
>;

/**
 * Claims from the queues, one after the other, until `room` runs are claimed, or up to `most` where they gather; each of
 * them is owned from then on.
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
  const { queues, store, clock, owned, contractOf: contracts } = engine;
  let claimed = 0;
  let dueInMs = Infinity;
  let isShared = false;
  let isPartial = false;
  for (let i = 0; i < queues.length && claimed < room && !signal.aborted; i++) {
    const queue = queues[(turn + i) % queues.length]!;
    const grantedMs = clock.monotonicMs();
    const { startedCount } = owned.pace;
    const limit = Math.max(room - claimed, Math.min(most, roomToGather(queue, engine)));
    const claim = await store.claim({ queue, contracts, worker: engine.name, limit });
    if (engine.crashHook !== null) for (const run of claim.runs) await engine.crashHook('claim.committed', run);
    for (const run of claim.runs) holdClaimed(engine, run, grantedMs);
    owned.pace.claimed(owned.bufferedRuns, grantedMs, startedCount);
    claimed += claim.runs.length;
    isShared ||= claim.isShared === true;
    isPartial ||= claim.isPartial === true;
    dueInMs = Math.min(dueInMs, Math.ceil(claim.dueInMs ?? Infinity));
  }
  return { claimed, dueInMs, isShared, isPartial };
}

/** What gathers needs no slot, so a queue of nothing else is asked for more than there are slots for. */
function roomToGather(queue: string, { owned: { gathering }, collectingQueues }: Needs): number {
  return gathering !== null && collectingQueues.has(queue) ? gathering.room() : 0;
}

type HoldNeeds = Pick<Engine, 'contractOf' | 'owned' | 'leases' | 'emit' | 'name'>;

/** Holds a run that was claimed; it waits for a slot. `grantedMs`: the process clock before its claim was sent. */
function holdClaimed(engine: HoldNeeds, run: ClaimedRun, grantedMs: number): OwnedRun {
  const contract = engine.contractOf.get(run.type)!;
  const owned = new OwnedRun(run, contract, grantedMs);
  const earlier = engine.owned.add(owned);
  // this very worker had claimed the run before, and its process was suspended for longer than the lease
  if (earlier !== undefined) {
    loseLease(engine, earlier);
    // the earlier settlement may still be on its way, but a run has only one lease
    engine.leases.letGo(earlier.lease);
  }
  holdLease(engine, owned, Infinity);
  engine.emit({ name: 'job.claimed', run, worker: engine.name });
  return owned;
}

/** Holds what a settlement has taken and starts it; a worker whose work `isOver` gives it back. */
export function beginTaken(engine: Engine, { runs, sentMs }: Taking, isOver: boolean): void {
  const all = runs.map((run) => holdClaimed(engine, run, sentMs));
  if (!isOver) startNow(engine);
  else for (const owned of all) giveBack(engine, owned);
}

/** How soon the loop claims again after nothing was due; doubled every time. */
const FIRST_IDLE_MS = 2;

/**
 * When the loop looks again after a claim that was not full: when the next run becomes due, when a wake-up is received,
 * or after an interval that grows while nothing is due, up to `pollIntervalMs` ± 20 %, so that workers that started
 * together do not poll together. A wake-up that chose this worker tells of all there is, so that one claim is enough;
 * any other makes the interval short again.
 */
export class NextLook {
  #idleMs = FIRST_IDLE_MS;
  /** When the next run is due, on the process clock; null: only a claim that finds nothing can tell. */
  #dueMs: number | null = null;
  /** A claim that the alarm asked for has failed. */
  #isOwed = false;

  constructor(private readonly engine: Pick<Engine, 'alarm' | 'clock' | 'pollIntervalMs' | 'random' | 'spareLook'>) {}

  /** The claim of that round has failed: the next one looks in its place. */
  failed({ look }: Round): void {
    this.#isOwed ||= look !== null;
  }

  /**
   * Learns from a claim. Returns whether runs follow each other so closely that the next one is probably due already.
   */
  learn(round: Round, answer: Claimed): boolean {
    const isClose = answer.claimed > 0 && this.#idleMs === FIRST_IDLE_MS;
    if (round.look === 'spare' && answer.claimed > 0) this.engine.spareLook.found();
    const isEnough = this.#isEnough(round, answer);
    if (!isEnough && (answer.claimed > 0 || round.look !== null)) this.#idleMs = FIRST_IDLE_MS;
    return isClose;
  }

  /** Waits for the next look; a ring since `mark` ends it at once. */
  async sleep(mark: number): Promise<void> {
    const { alarm, clock, pollIntervalMs, random } = this.engine;
    const isWoken = await alarm.wait(mark, Math.min(spreadPoll(this.#idleMs, random()), this.#dueInMs()), clock);
    if (!isWoken) this.#idleMs = Math.min(this.#idleMs * 2, pollIntervalMs);
  }

  /**
   * Takes note of when the next run is due. Returns whether the claim has found out all that the alarm asked for, so
   * that the loop need not look again soon.
   */
  #isEnough({ look }: Round, { claimed, dueInMs, isPartial }: Claimed): boolean {
    const nowMs = this.engine.clock.monotonicMs();
    // a claim that took runs does not say when the next one is due: what was known still holds, until that moment
    const dueMs = claimed === 0 ? nowMs + dueInMs : Math.min(this.#dueMs ?? -Infinity, nowMs + dueInMs);
    this.#dueMs = claimed === 0 || dueMs > nowMs ? dueMs : null;
    const isOften = look === null || look === 'often' || this.#isOwed;
    this.#isOwed = false;
    return !isOften && !isPartial && (claimed === 0 || (look !== 'later' && this.#dueMs !== null));
  }

  #dueInMs(): number {
    return this.#dueMs === null ? Infinity : Math.max(0, this.#dueMs - this.engine.clock.monotonicMs());
  }
}
