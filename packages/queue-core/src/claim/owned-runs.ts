import type { Collect } from '@duework/contracts';
import type { Gathered, Gathering } from './gathering.js';
import type { OwnedRun } from './owned-run.js';
import { IdTable } from './id-table.js';
import { StartPace } from './start-pace.js';

/** The most that one claim takes, unless others claim, too. */
export const MAX_CLAIM = 500;
/** A run is claimed ahead when a slot will be free for it within this time. */
export const LOOKAHEAD_MS = 50;
/** The same where tenants take turns: what is claimed ahead begins before the first run of another tenant. */
export const TENANT_LOOKAHEAD_MS = 10;
/** How much one run counts in the moving average. */
const WEIGHT = 1 / 16;
/** How many started runs the list of waiting ones may still contain before it is shortened. */
const MAX_STARTED = 1_024;

/**
 * The runs a worker holds, and how many more it may take. `concurrency` handlers run at once, and a slot stays taken
 * until its handler has really ended. Beyond that runs are claimed ahead, up to `buffer` of them and only as many as
 * will start within `lookaheadMs`, judged by how long the last handlers took: a run that waits longer is better off with
 * an idle worker. Nor more than will start within half a second, judged by how fast the last runs have started.
 */
export class OwnedRuns {
  readonly #owned = new IdTable<OwnedRun>();
  readonly #buffered: OwnedRun[] = [];
  /** Index at which the buffer begins; the runs before it have been started. */
  #first = 0;
  readonly pace = new StartPace();
  readonly #waiters = new Set<() => void>();
  #busySlots = 0;
  #averageMs = Infinity;
  /** How many runs claims and settlements on their way have asked for. */
  #asked = 0;
  /** Slots whose handlers run on although their attempts were given up: they ignored their signal. */
  stuckSlots = 0;
  /** Cancels the timer of `releaseStale`; null: no timer runs. */
  stopWatching: (() => void) | null = null;

  /**
   * How many handlers run at once: what was declared, unless an operator has changed it. Where it is made fewer than run, nothing
   * begins until enough have ended. Whoever changes it wakes those who wait for room.
   */
  concurrency: number;

  constructor(
    readonly declared: number,
    readonly buffer: number,
    /** Where runs gather whose contracts collect; null: none does. */
    readonly gathering: Gathering | null = null,
    private readonly lookaheadMs = LOOKAHEAD_MS,
  ) {
    this.concurrency = declared;
  }

  /** Every run whose lease this worker holds: buffered, running, or waiting for its settlement to be written. */
  all(): OwnedRun[] {
    return [...this.#owned.values()];
  }

  /** The run of that claim; undefined: this worker does not hold it. */
  find(id: string, fence: number): OwnedRun | undefined {
    const owned = this.#owned.get(id);
    return owned?.run.fence === fence ? owned : undefined;
  }

  get size(): number {
    return this.#owned.size;
  }

  get busySlots(): number {
    return this.#busySlots;
  }

  get asked(): number {
    return this.#asked;
  }

  /** A claim, or a settlement that takes who it lets in, is sent for so many runs. */
  ask(count: number): void {
    this.#asked += count;
  }

  /** It is answered, or has failed. */
  answered(count: number): void {
    this.#asked -= count;
    this.#wakeForRoom();
  }

  /** Slots for which nothing waits. */
  get freeSlots(): number {
    return this.concurrency - this.#busySlots - this.bufferedRuns - (this.gathering?.readyCount ?? 0);
  }

  /** Claimed but not begun. */
  get bufferedCount(): number {
    return this.bufferedRuns + (this.gathering?.size ?? 0);
  }

  /** The same without those that gather. */
  get bufferedRuns(): number {
    return this.#buffered.length - this.#first;
  }

  /**
   * How many runs to claim now, beside `onTheirWay` that other claims have asked for. 0 also while the buffer is more
   * than half full and has no room for a `whole` claim. Unwritten settlements count too, above a bound: a slow database
   * slows the claims.
   */
  room(onTheirWay = 0, whole = MAX_CLAIM): number {
    const ahead = this.#ahead();
    const { gathering } = this;
    const waiting = this.bufferedRuns + (gathering?.readyCount ?? 0) + onTheirWay;
    if (waiting > Math.max(ahead / 2, ahead - whole)) return 0;
    const capacity = this.concurrency + ahead;
    const unwritten = this.#owned.size + onTheirWay - (gathering?.sharing ?? 0);
    const mostUnwritten = 2 * (capacity + (gathering?.largest ?? 0));
    const room = Math.min(
      capacity - this.#busySlots - waiting,
      mostUnwritten - unwritten,
      gathering?.room() ?? Infinity,
    );
    return Math.max(0, room);
  }

  #ahead(): number {
    const soon = Math.min((this.concurrency * this.lookaheadMs) / this.#averageMs, this.pace.most);
    return Math.min(this.buffer, Math.floor(soon));
  }

  /** Since when a run, or a call, has waited for a slot, on the process clock; Infinity: none waits. */
  waitingSinceMs(): number {
    return Math.min(this.#oldestBufferedMs(), this.gathering?.oldestReadyMs() ?? Infinity);
  }

  #oldestBufferedMs(): number {
    return this.#buffered[this.#first]?.claimedMs ?? Infinity;
  }

  /** Claims nothing ahead until a handler has ended. */
  expectSlowness(): void {
    this.#averageMs = Infinity;
  }

  /** Adds a run. Returns the earlier claim of the same run, if this worker owned one: the new claim replaces it. */
  add(owned: OwnedRun): OwnedRun | undefined {
    const { collect } = owned.contract;
    if (collect === undefined || this.gathering === null) this.#buffered.push(owned);
    else this.#gather(owned, collect, this.gathering);
    return this.#owned.set(owned.run.id, owned);
  }

  #gather(owned: OwnedRun, collect: Collect, gathering: Gathering): void {
    owned.isSharing = true;
    gathering.sharing++;
    gathering.add(owned, collect);
  }

  /** The next run to start, which takes a slot; null: no slot is free, or nothing waits. */
  startNext(): OwnedRun | null {
    if (this.#busySlots >= this.concurrency) return null;
    const next = this.#buffered[this.#first];
    if (next === undefined) return null;
    // shortening an array moves all that remains, so it is done seldom; under a backlog the buffer is never empty
    this.#first++;
    if (this.#first === this.#buffered.length || this.#first === MAX_STARTED) this.#forgetStarted();
    this.#busySlots++;
    return next;
  }

  /** The next call to start, which takes one slot; null: no slot is free, or an older run waits, or no call does. */
  startNextCall(): Gathered | null {
    if (this.gathering === null || this.#busySlots >= this.concurrency) return null;
    const next = this.gathering.next(this.#oldestBufferedMs());
    if (next === null) return null;
    this.#busySlots++;
    this.#wakeForRoom();
    return next;
  }

  /** The attempt of a run in a call is over: until its settlement is written, it counts like any other. */
  stopSharing(owned: OwnedRun): void {
    if (!owned.isSharing) return;
    owned.isSharing = false;
    this.gathering!.sharing--;
  }

  /** Takes out all runs that wait for a slot; they are still owned. */
  takeWaiting(): OwnedRun[] {
    this.pace.forget();
    this.#forgetStarted();
    return [...this.#buffered.splice(0), ...(this.gathering?.takeReady() ?? [])];
  }

  /** Takes out all runs that were claimed and not begun; they are still owned. */
  takeBuffered(): OwnedRun[] {
    return [...this.takeWaiting(), ...(this.gathering?.takeAll() ?? [])];
  }

  /** Takes out the runs that fit, of those that were claimed and not begun; they are still owned. */
  takeBufferedThat(fits: (owned: OwnedRun) => boolean): OwnedRun[] {
    this.pace.forget();
    this.#forgetStarted();
    const taken = this.#buffered.filter(fits);
    if (taken.length > 0) this.#buffered.push(...this.#buffered.splice(0).filter((owned) => !fits(owned)));
    return [...taken, ...(this.gathering?.takeThat(fits) ?? [])];
  }

  #forgetStarted(): void {
    this.#buffered.splice(0, this.#first);
    this.#first = 0;
  }

  /** Frees the slot of a handler that took `ranMs`. */
  freeSlot(ranMs: number): void {
    this.#averageMs = this.#averageMs === Infinity ? ranMs : this.#averageMs + (ranMs - this.#averageMs) * WEIGHT;
    this.#busySlots--;
    this.#wakeForRoom();
  }

  /** Removes a run that was settled, released or lost. */
  remove(owned: OwnedRun): void {
    if (owned.isSharing) this.stopSharing(owned);
    this.#owned.delete(owned.run.id, owned);
    this.#wakeForRoom();
  }

  /** Resolves at the next change that leaves room, or no run at all, and at `wake`. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiters.add(resolve));
  }

  #wakeForRoom(): void {
    if (this.#waiters.size > 0 && (this.#owned.size === 0 || this.room() > 0)) this.wake();
  }

  wake(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) wake();
  }
}
