import { readPayload, type Collect, type JobContract } from '@duework/contracts';
import type { Clock } from '../clock.js';
import { unsealPayload } from '../secrets/unseal-payload.js';
import type { OwnedRun } from './owned-run.js';

/** Runs of one type that share a call of their handler. */
export interface Gathered {
  readonly contract: JobContract;
  /** The value that they share; null: their contract names none. */
  readonly by: string | null;
  readonly runs: OwnedRun[];
  /** When the first of them was claimed, and when they became ready to start, on the process clock. */
  readonly sinceMs: number;
  readyMs: number;
  stopTimer: () => void;
  /** Type and value, which those that may share a call have in common; null: this one shares with nobody. */
  readonly key: string | null;
  /** Its wait is over, and it gathers on until a call of its value has ended. */
  isDue: boolean;
}

/**
 * Claimed runs whose contracts collect. They gather by type and value until `max` are there, or until `wait` has passed
 * since the first of them was claimed; then they are ready, and one call takes one slot. Each keeps its own lease, which
 * is renewed meanwhile.
 *
 * Where as many calls of a value run as its contract lets run at once, the next ones wait, and gather meanwhile; what comes
 * behind them is not held up.
 *
 * What gathers takes no slot, so it does not count against the room for a claim, up to `most` runs: beyond that the
 * worker claims nothing until a call has begun. What is ready and waits for a slot counts as one run.
 */
export class Gathering {
  readonly #gathering = new Map<string, Gathered>();
  #ready: Gathered[] = [];
  #size = 0;
  /** How many calls run of each value whose contract bounds them. */
  readonly #calls = new Map<string, number>();
  /** Held runs that gather, are ready, or are in a call: they share slots. */
  sharing = 0;
  /** Called when a wait is over. */
  onReady = (): void => {};

  constructor(
    private readonly clock: Clock,
    /** The largest `max` of the contracts. */
    readonly largest: number,
    /** How many runs may gather at most. */
    private readonly most: number,
  ) {}

  /** How many runs gather or are ready. */
  get size(): number {
    return this.#size;
  }

  /** How many calls wait for a slot. */
  get readyCount(): number {
    return this.#ready.filter((group) => !this.#waitsForCall(group)).length;
  }

  /** How many more runs may gather. */
  room(): number {
    return Math.max(0, this.most - this.#size);
  }

  add(owned: OwnedRun, collect: Collect): void {
    const by = valueOf(owned, collect);
    // without a value that can be read, a run shares its call with nobody
    const key = by === undefined ? null : `${owned.run.type} ${by}`;
    const found = key === null ? undefined : this.#gathering.get(key);
    const group = found ?? this.#begin(owned, by ?? null, key);
    group.runs.push(owned);
    this.#size++;
    if (key === null || group.runs.length >= collect.max) this.#makeReady(group);
    else if (found === undefined) this.#startTimer(key, group, collect.waitMs);
  }

  #begin({ contract, claimedMs }: OwnedRun, by: string | null, key: string | null): Gathered {
    const waiting = { readyMs: Infinity, stopTimer: () => {}, isDue: false };
    return { contract, by, key, runs: [], sinceMs: claimedMs, ...waiting };
  }

  #startTimer(key: string, group: Gathered, waitMs: number): void {
    this.#gathering.set(key, group);
    const leftMs = Math.max(0, group.sinceMs + waitMs - this.clock.monotonicMs());
    group.stopTimer = this.clock.after(leftMs, () => {
      group.isDue = true;
      if (this.#waitsForCall(group)) return;
      this.#makeReady(group);
      this.onReady();
    });
  }

  #makeReady(group: Gathered): void {
    group.stopTimer();
    group.readyMs = this.clock.monotonicMs();
    if (group.key !== null) this.#gathering.delete(group.key);
    this.#ready.push(group);
  }

  /** Whether as many calls of its value run as may run at once. */
  #waitsForCall({ key, contract }: Gathered): boolean {
    const most = contract.collect?.atOnce;
    return most !== undefined && key !== null && (this.#calls.get(key) ?? 0) >= most;
  }

  /** The next call to start, if its first run was claimed before `beforeMs`; null: there is none. */
  next(beforeMs: number): Gathered | null {
    const at = this.#ready.findIndex((group) => !this.#waitsForCall(group));
    const first = this.#ready[at];
    if (first === undefined || first.sinceMs > beforeMs) return null;
    this.#ready.splice(at, 1);
    this.#size -= first.runs.length;
    if (isBounded(first)) this.#calls.set(first.key, (this.#calls.get(first.key) ?? 0) + 1);
    return first;
  }

  /** A call has really ended: the next one of its value may begin. */
  ended(group: Gathered): void {
    if (!isBounded(group)) return;
    const left = this.#calls.get(group.key)! - 1;
    if (left > 0) this.#calls.set(group.key, left);
    else this.#calls.delete(group.key);
    const next = this.#gathering.get(group.key);
    if (next?.isDue) this.#makeReady(next);
  }

  /** Since when the call that has waited longest for a slot is ready; Infinity: none is. */
  oldestReadyMs(): number {
    return this.#ready.find((group) => !this.#waitsForCall(group))?.readyMs ?? Infinity;
  }

  /** Takes out the runs of the calls that are ready; they are still owned. */
  takeReady(): OwnedRun[] {
    const runs = this.#ready.flatMap((group) => group.runs);
    this.#ready = [];
    this.#size -= runs.length;
    return runs;
  }

  /** Takes out the runs that fit; they are still owned. */
  takeThat(fits: (owned: OwnedRun) => boolean): OwnedRun[] {
    const taken: OwnedRun[] = [];
    for (const { runs } of [...this.#gathering.values(), ...this.#ready]) {
      taken.push(...runs.filter(fits));
      runs.splice(0, runs.length, ...runs.filter((owned) => !fits(owned)));
    }
    this.#ready = this.#ready.filter(({ runs }) => runs.length > 0);
    for (const [key, { runs, stopTimer }] of this.#gathering) {
      if (runs.length > 0) continue;
      stopTimer();
      this.#gathering.delete(key);
    }
    this.#size -= taken.length;
    return taken;
  }

  /** Takes out all runs; they are still owned. */
  takeAll(): OwnedRun[] {
    const groups = [...this.#gathering.values()];
    this.#gathering.clear();
    for (const group of groups) group.stopTimer();
    const gathering = groups.flatMap((group) => group.runs);
    this.#size -= gathering.length;
    return [...gathering, ...this.takeReady()];
  }
}

function isBounded(group: Gathered): group is Gathered & { readonly key: string } {
  return group.key !== null && group.contract.collect?.atOnce !== undefined;
}

/** The value by which a run is collected; null: by none. undefined: its payload cannot be read, or the contract's function threw. */
function valueOf({ run, contract }: OwnedRun, { by }: Collect): string | null | undefined {
  if (by === null) return null;
  if (run.lostNumber) return undefined;
  try {
    const payload = readPayload(contract, run.version, unsealPayload(contract, run.version, run.payload));
    return payload.success ? by(payload.data) : undefined;
  } catch {
    // its attempt says why
    return undefined;
  }
}
