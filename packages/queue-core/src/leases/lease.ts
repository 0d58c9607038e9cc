import type { Catalog } from '@duework/contracts';

/** One claim of a run. Moments are on the monotonic clock, which all threads of a process share. */
export interface Lease {
  readonly id: string;
  readonly fence: number;
  readonly leaseMs: number;
  /** Read before the statement that granted the lease was sent: it can only be too early. */
  readonly grantedMs: number;
  /**
   * No renewal after this moment: an attempt has a maximum run time, whether its event loop still turns or not.
   * Infinity while the run waits in the buffer: its lease is renewed as long as the event loop that will start it
   * turns.
   */
  readonly keepUntilMs: number;
}

const NOWHERE = -1;

/** The lease of one claim, from the claim until it is let go of. The heartbeat gets each change in this same object. */
export class HeldLease implements Lease {
  keepUntilMs = Infinity;
  /** The row in which `SharedLeases` keeps it; only that class reads or writes this. */
  place = NOWHERE;

  constructor(
    readonly id: string,
    readonly fence: number,
    readonly leaseMs: number,
    public grantedMs: number,
  ) {}
}

/**
 * The longest time between two heartbeats: a request to cancel is seen within it, even when its notification is lost.
 */
const MAX_HEARTBEAT_MS = 1_000;

/** The longest that a heartbeat may take, where leases are long enough for it. */
const MAX_ANSWER_MS = 5_000;

/**
 * How often leases are checked, in milliseconds. A lease is renewed when a third of it is over; with eight checks in
 * the shortest one, a heartbeat that fails leaves time for several more.
 */
export function heartbeatIntervalMs(catalog: Catalog): number {
  return Math.min(MAX_HEARTBEAT_MS, shortestLeaseMs(catalog) / 8);
}

/**
 * How long a heartbeat may take before its connection counts as cut. A quarter of the shortest lease: with the third
 * before it, the renewal can be tried once more, on a new connection, before the lease is over.
 */
export function answerLimitMs(catalog: Catalog): number {
  return Math.min(MAX_ANSWER_MS, shortestLeaseMs(catalog) / 4);
}

/** How late the timer of the next check may be, as a part of the time between two checks. */
const MAX_LATENESS = 1 / 4;

/**
 * Whether a lease is over, or may be over before its next check, so that it is given up now. Times on the process
 * clock.
 */
export function isOverByNextLook(
  { grantedMs, leaseMs }: { readonly grantedMs: number; readonly leaseMs: number },
  nowMs: number,
  intervalMs: number,
): boolean {
  return nowMs + intervalMs * (1 + MAX_LATENESS) - grantedMs >= leaseMs;
}

function shortestLeaseMs(catalog: Catalog): number {
  return Math.min(...catalog.map((contract) => contract.leaseMs));
}

/**
 * The leases of a worker in memory that two threads share: the worker's thread writes them, the lease thread reads them
 * at each heartbeat. So the lease thread knows of a lease before a handler can block the worker's, and a run that is
 * over before the next heartbeat costs a few writes; three messages would cost 4 µs to send, and more to receive.
 *
 * One writer, one reader. A lease knows its row. While a row is written its version is odd, and the reader reads it
 * again. A row whose id is 0 is free. The memory grows in place, for both threads at once.
 *
 * It also carries a sign of life: the writer's event loop was turning at `aliveMs`.
 */
export class SharedLeases {
  readonly buffer: GrowableBuffer;
  /** Two views of the buffer, of fixed length, because views that follow a growing buffer are slow. */
  #numbers!: Float64Array;
  #versions!: Int32Array;
  /** The free rows; only the writer uses it. */
  readonly #freeRows: number[] = [];

  /** The writer makes the memory; the reader is given it. */
  constructor(buffer?: SharedArrayBuffer) {
    this.buffer =
      (buffer as GrowableBuffer | undefined) ??
      new Growable(FIRST_ROWS * ROW_BYTES, { maxByteLength: MAX_ROWS * ROW_BYTES });
    this.#view();
    if (buffer === undefined) this.#freeFrom(1);
  }

  /** Writes a lease, or what has changed about it. */
  hold(lease: HeldLease): void {
    if (lease.place === NOWHERE) lease.place = this.#takeRow();
    this.#write(lease.place, Number(lease.id), lease.fence, lease.leaseMs, lease.grantedMs, lease.keepUntilMs);
  }

  /** Removes a lease; another claim of its run is left alone. */
  letGo(lease: HeldLease): void {
    if (lease.place === NOWHERE) return;
    this.#write(lease.place, 0, 0, 0, 0, 0);
    this.#freeRows.push(lease.place);
    lease.place = NOWHERE;
  }

  get aliveMs(): number {
    return this.#numbers[ALIVE_MS]!;
  }

  set aliveMs(nowMs: number) {
    this.#numbers[ALIVE_MS] = nowMs;
  }

  read(): Lease[] {
    this.#view();
    const leases: Lease[] = [];
    for (let row = 1; row < this.#numbers.length / COLUMNS; row++) {
      const lease = this.#readRow(row * COLUMNS);
      if (lease !== null) leases.push(lease);
    }
    return leases;
  }

  #view(): void {
    const { byteLength } = this.buffer;
    if (this.#numbers?.byteLength === byteLength) return;
    this.#numbers = new Float64Array(this.buffer, 0, byteLength / Float64Array.BYTES_PER_ELEMENT);
    this.#versions = new Int32Array(this.buffer, 0, byteLength / Int32Array.BYTES_PER_ELEMENT);
  }

  #readRow(at: number): Lease | null {
    for (;;) {
      const version = Atomics.load(this.#versions, at * 2);
      const id = this.#numbers[at + ID]!;
      const fence = this.#numbers[at + FENCE]!;
      const leaseMs = this.#numbers[at + LEASE_MS]!;
      const grantedMs = this.#numbers[at + GRANTED_MS]!;
      const keepUntilMs = this.#numbers[at + KEEP_UNTIL_MS]!;
      if (version % 2 === 1 || Atomics.load(this.#versions, at * 2) !== version) continue;
      return id === 0 ? null : { id: String(id), fence, leaseMs, grantedMs, keepUntilMs };
    }
  }

  #write(row: number, id: number, fence: number, leaseMs: number, grantedMs: number, keepUntilMs: number): void {
    const at = row * COLUMNS;
    Atomics.add(this.#versions, at * 2, 1);
    this.#numbers[at + ID] = id;
    this.#numbers[at + FENCE] = fence;
    this.#numbers[at + LEASE_MS] = leaseMs;
    this.#numbers[at + GRANTED_MS] = grantedMs;
    this.#numbers[at + KEEP_UNTIL_MS] = keepUntilMs;
    Atomics.add(this.#versions, at * 2, 1);
  }

  #takeRow(): number {
    if (this.#freeRows.length === 0) {
      const rows = this.#numbers.length / COLUMNS;
      this.buffer.grow(rows * 2 * ROW_BYTES);
      this.#view();
      this.#freeFrom(rows);
    }
    return this.#freeRows.pop()!;
  }

  #freeFrom(row: number): void {
    for (let free = this.#numbers.length / COLUMNS - 1; free >= row; free--) this.#freeRows.push(free);
  }
}

/** A row is its version and five numbers. Row 0 holds only the sign of life. */
const COLUMNS = 6;
const ROW_BYTES = COLUMNS * Float64Array.BYTES_PER_ELEMENT;
const [ID, FENCE, LEASE_MS, GRANTED_MS, KEEP_UNTIL_MS] = [1, 2, 3, 4, 5] as const;
const ALIVE_MS = 1;
const FIRST_ROWS = 64;
/** Reserves address space, not memory: no worker holds so many leases. */
const MAX_ROWS = 2 ** 20;

/** Shared memory that grows, which `lib.es2023` does not know yet. */
type GrowableBuffer = SharedArrayBuffer & { grow(byteLength: number): void };
const Growable = SharedArrayBuffer as unknown as new (
  byteLength: number,
  options: { maxByteLength: number },
) => GrowableBuffer;
