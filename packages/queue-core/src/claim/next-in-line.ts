import type { JobContract } from '@duework/contracts';
import type { Clock } from '../clock.js';
import type { ClaimableContract, ClaimedRun, Taker } from '../ports/runs.js';
import type { CrashHook } from '../run/attempt.js';
import type { Alarm } from '../wake/alarm.js';
import type { OwnedRuns } from './owned-runs.js';
import type { SessionBrake } from './claim-brakes.js';

/** What it needs of the engine. */
interface Needs {
  readonly name: string;
  readonly queues: readonly string[];
  readonly contractOf: ReadonlyMap<string, JobContract>;
  readonly owned: OwnedRuns;
  readonly clock: Clock;
  readonly session: SessionBrake;
  readonly alarm: Alarm;
  readonly crashHook: CrashHook | null;
}

/** So long a claim that left slots free says that nothing else is due; another one is sent in time, beside the settlements. */
const FRESH_MS = 50;
const RENEW_MS = 25;

/** What one settlement may take for its worker, and what it has taken. */
export class Taking implements Taker {
  runs: readonly ClaimedRun[] = [];
  isAll = false;

  constructor(
    readonly worker: string,
    readonly queues: readonly string[],
    readonly contracts: ReadonlyMap<string, ClaimableContract>,
    readonly limit: number,
    /** On the process clock, before it was sent. */
    readonly sentMs: number,
  ) {}

  take(runs: readonly ClaimedRun[], isAll: boolean): void {
    this.runs = runs;
    this.isAll = isAll;
  }
}

/**
 * Who waits behind a run at a gate may begin where that has ended: its settlement lets it in and claims it, in one statement
 * and one commit, and no claim is sent for it.
 *
 * Only while nobody else waits for the slot: the worker's last claim, sent at most 50 ms ago, has left slots free, and nothing
 * waits in its buffer. So a key that goes on keeps what is more urgent or was due before waiting for no longer than that, or
 * its next run is due like any other, and the next claim decides.
 *
 * A worker that dies, or never gets the answer, has claimed these runs like any others: they are rescued.
 *
 * Not for tenants, who take turns, nor for what collects, which takes no slot.
 */
export class NextInLine {
  readonly #contracts: ReadonlyMap<string, ClaimableContract>;
  #foundAllMs = -Infinity;
  #isLooking = false;
  #isOver = false;

  /** Holds and starts what was taken; `isOver`: the worker stops, and gives it back. `makeEngine` sets this. */
  onTaken: (taking: Taking, isOver: boolean) => void = () => {};

  constructor(private readonly engine: Needs) {
    const contracts = [...engine.contractOf.values()];
    const isFair = contracts.some(({ flow }) => flow?.some(({ kind }) => kind === 'tenant'));
    const plain = contracts.filter(({ collect, flow }) => !isFair && collect === undefined && flow !== null);
    this.#contracts = new Map(plain.map((contract) => [contract.type, contract]));
  }

  /** A claim is answered that was sent at `sentMs`. `hasFoundAll`: it looked everywhere, and took less than it asked for. */
  learn(sentMs: number, hasFoundAll: boolean): void {
    this.#foundAllMs = hasFoundAll ? sentMs : -Infinity;
    this.#isLooking = false;
  }

  /** The worker stops: it begins nothing any more. */
  stop(): void {
    this.#isOver = true;
  }

  /** What a settlement that is sent now may take; undefined: nothing. `receive` is to be called when it is over. */
  ask(): Taking | undefined {
    const { owned, session, clock, name, queues } = this.engine;
    const nowMs = clock.monotonicMs();
    if (this.#isOver || session.isAway || this.#contracts.size === 0 || !this.#isFresh(nowMs)) return undefined;
    const limit = Math.min(owned.freeSlots, owned.room(owned.asked));
    if (limit <= 0) return undefined;
    owned.ask(limit);
    return new Taking(name, queues, this.#contracts, limit, nowMs);
  }

  #isFresh(nowMs: number): boolean {
    const ageMs = nowMs - this.#foundAllMs;
    if (ageMs > FRESH_MS) return false;
    if (ageMs > RENEW_MS && !this.#isLooking) {
      this.#isLooking = true;
      this.engine.alarm.ring('once');
    }
    return true;
  }

  /** The settlement is answered, or has failed. Returns what a test waits for before the worker knows of its runs. */
  receive({ limit, runs }: Taking): Promise<void> | undefined {
    const { owned, crashHook } = this.engine;
    owned.answered(limit);
    if (crashHook === null || runs.length === 0) return undefined;
    return (async () => {
      for (const run of runs) await crashHook('claim.committed', run);
    })();
  }

  begin(taking: Taking): void {
    if (taking.runs.length > 0) this.onTaken(taking, this.#isOver);
  }
}
