import { startNow } from '../run/start-now.js';
import { giveBack } from '../settle/give-back.js';
import type { ClaimableContract, ClaimedRun, Taker } from '../ports/runs.js';
import type { Engine } from '../worker/engine.js';
import { holdClaimed } from './hold-claimed.js';

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

  /** `engine`: called when there is something to do. */
  constructor(
    contracts: Engine['contractOf'],
    private readonly engine: () => Engine,
  ) {
    const isFair = [...contracts.values()].some(({ flow }) => flow?.some(({ kind }) => kind === 'tenant'));
    this.#contracts = new Map(
      isFair ? [] : [...contracts].filter(([, { collect, flow }]) => collect === undefined && flow !== null),
    );
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
    const { held, session, clock, name, queues } = this.engine();
    const nowMs = clock.monotonicMs();
    if (this.#isOver || session.isAway || this.#contracts.size === 0 || !this.#isFresh(nowMs)) return undefined;
    const limit = Math.min(held.freeSlots, held.room(held.asked));
    if (limit <= 0) return undefined;
    held.ask(limit);
    return new Taking(name, queues, this.#contracts, limit, nowMs);
  }

  #isFresh(nowMs: number): boolean {
    const ageMs = nowMs - this.#foundAllMs;
    if (ageMs > FRESH_MS) return false;
    if (ageMs > RENEW_MS && !this.#isLooking) {
      this.#isLooking = true;
      this.engine().alarm.ring('once');
    }
    return true;
  }

  /** The settlement is answered, or has failed. Returns what a test waits for before the worker knows of its runs. */
  receive({ limit, runs }: Taking): Promise<void> | undefined {
    const { held, crashHook } = this.engine();
    held.answered(limit);
    if (crashHook === null || runs.length === 0) return undefined;
    return (async () => {
      for (const run of runs) await crashHook('claim.committed', run);
    })();
  }

  /** Holds what was taken and starts it; a worker that stops gives it back. */
  begin({ runs, sentMs }: Taking): void {
    if (runs.length === 0) return;
    const engine = this.engine();
    const all = runs.map((run) => holdClaimed(engine, run, sentMs));
    if (!this.#isOver) startNow(engine);
    else for (const held of all) giveBack(engine, held);
  }
}
