import { readPayload, type Collect, type JobContract } from '@duework/contracts';
import type { Clock } from '../clock.js';
import { unsealPayload } from '../secrets/unseal-payload.js';
import type { HeldRun } from './held-run.js';

/** Runs of one type that share a call of their handler. */
export interface Gathered {
  readonly contract: JobContract;
  /** The value that they share; null: their contract names none. */
  readonly by: string | null;
  readonly runs: HeldRun[];
  /** When the first of them was claimed, and when they became ready to start, on the process clock. */
  readonly sinceMs: number;
  readyMs: number;
  stopTimer: () => void;
}

/**
 * Claimed runs whose contracts collect. They gather by type and value until `max` are there, or until `wait` has passed
 * since the first of them was claimed; then they are ready, and one call takes one slot. Each keeps its own lease, which
 * is renewed meanwhile.
 *
 * What gathers takes no slot, so it does not count against the room for a claim, up to `most` runs: beyond that the
 * worker claims nothing until a call has begun. What is ready and waits for a slot counts as one run.
 */
export class Gathering {
  readonly #gathering = new Map<string, Gathered>();
  #ready: Gathered[] = [];
  #size = 0;
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
    return this.#ready.length;
  }

  /** How many more runs may gather. */
  room(): number {
    return Math.max(0, this.most - this.#size);
  }

  add(held: HeldRun, collect: Collect): void {
    const by = valueOf(held, collect);
    // without a value that can be read, a run shares its call with nobody
    const key = by === undefined ? null : `${held.run.type} ${by}`;
    const found = key === null ? undefined : this.#gathering.get(key);
    const group = found ?? this.#begin(held, by ?? null);
    group.runs.push(held);
    this.#size++;
    if (key === null || group.runs.length >= collect.max) this.#makeReady(key, group);
    else if (found === undefined) this.#startTimer(key, group, collect.waitMs);
  }

  #begin({ contract, claimedMs }: HeldRun, by: string | null): Gathered {
    return { contract, by, runs: [], sinceMs: claimedMs, readyMs: Infinity, stopTimer: () => {} };
  }

  #startTimer(key: string, group: Gathered, waitMs: number): void {
    this.#gathering.set(key, group);
    const leftMs = Math.max(0, group.sinceMs + waitMs - this.clock.monotonicMs());
    group.stopTimer = this.clock.after(leftMs, () => {
      this.#makeReady(key, group);
      this.onReady();
    });
  }

  #makeReady(key: string | null, group: Gathered): void {
    group.stopTimer();
    group.readyMs = this.clock.monotonicMs();
    if (key !== null) this.#gathering.delete(key);
    this.#ready.push(group);
  }

  /** The next call to start, if its first run was claimed before `beforeMs`; null: there is none. */
  next(beforeMs: number): Gathered | null {
    const [first] = this.#ready;
    if (first === undefined || first.sinceMs > beforeMs) return null;
    this.#ready.shift();
    this.#size -= first.runs.length;
    return first;
  }

  /** Since when the call that has waited longest is ready; Infinity: none is. */
  oldestReadyMs(): number {
    return this.#ready[0]?.readyMs ?? Infinity;
  }

  /** Takes out the runs of the calls that wait for a slot; they are still held. */
  takeReady(): HeldRun[] {
    const runs = this.#ready.flatMap((group) => group.runs);
    this.#ready = [];
    this.#size -= runs.length;
    return runs;
  }

  /** Takes out the runs that fit; they are still held. */
  takeThat(fits: (held: HeldRun) => boolean): HeldRun[] {
    const taken: HeldRun[] = [];
    for (const { runs } of [...this.#gathering.values(), ...this.#ready]) {
      taken.push(...runs.filter(fits));
      runs.splice(0, runs.length, ...runs.filter((held) => !fits(held)));
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

  /** Takes out all runs; they are still held. */
  takeAll(): HeldRun[] {
    const groups = [...this.#gathering.values()];
    this.#gathering.clear();
    for (const group of groups) group.stopTimer();
    const gathering = groups.flatMap((group) => group.runs);
    this.#size -= gathering.length;
    return [...gathering, ...this.takeReady()];
  }
}

/** The value by which a run is collected; null: by none. undefined: its payload cannot be read, or the contract's function threw. */
function valueOf({ run, contract }: HeldRun, { by }: Collect): string | null | undefined {
  if (by === null) return null;
  try {
    const payload = readPayload(contract, run.version, unsealPayload(contract, run.version, run.payload));
    return payload.success ? by(payload.data) : undefined;
  } catch {
    // its attempt says why
    return undefined;
  }
}
