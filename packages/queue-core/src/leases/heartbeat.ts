import { pause, type Clock } from '../clock.js';
import type { ExtendedLease, LeaseToExtend } from '../ports/runs.js';
import type { WakeMessage } from '../ports/wakes.js';
import type { ListenMessage } from '../wake/listen-for-wakes.js';
import type { Abilities } from '../wake/listener-group.js';
import { isOverByNextLook, type HeldLease, type Lease } from './lease.js';

/**
 * Extends the leases of a worker's runs, and reports lost leases and cancellations. Two implementations: in this thread
 * (any store), and in its own thread with its own connection (PostgreSQL), which a handler that blocks the event loop
 * cannot starve. The latter also receives wake-ups.
 */
export interface Heartbeat {
  /** Whether it receives wake-ups for enqueued work: then the worker can poll less often. */
  readonly isListening: boolean;
  /** Begins to extend leases for the worker of that name. Every message goes to `listener`. */
  start(worker: string, listener: (message: EngineMessage) => void, abilities?: Abilities): Promise<void>;
  /** Extends a lease from now on, or takes over what has changed about it. */
  hold(lease: HeldLease): void;
  /** Extends this claim's lease no longer: it was settled or given up. Does nothing if it is not held. */
  letGo(lease: HeldLease): void;
  /**
   * Renews every lease now, due or not: missing ones are `lost`. If the database is unavailable, as soon as it answers.
   */
  renew(): void;
  /** Receives no more wake-ups: the worker stops, and others are chosen in its place. */
  stopListening?(): void;
  stop(): Promise<void>;
}

/** What becomes of the leases, and of the session in which they are renewed. */
export type LeaseMessage =
  /**
   * Renewed. The worker passes the new `grantedMs` back with `hold`, because a replaced lease thread knows only that.
   */
  | { readonly kind: 'extended'; readonly id: string; readonly fence: number; readonly grantedMs: number }
  /** The lease is over, or cannot be renewed in time: another worker may have the run. */
  | { readonly kind: 'lost'; readonly id: string; readonly fence: number }
  | Extract<WakeMessage, { readonly kind: 'cancel_requested' }>
  /**
   * The session that shows others that this worker lives is gone; `back`: there is one again, since that moment on the
   * monotonic clock. Heartbeats without a session send neither.
   */
  | { readonly kind: 'away' }
  | { readonly kind: 'back'; readonly sinceMs: number }
  /**
   * Leases cannot be renewed at the moment; it is tried again. Sent at most once a second; `recovered`: they can again.
   */
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'recovered' };

/** What a heartbeat sends its worker: what it finds out about leases, and the wake-ups that it hears. */
export type EngineMessage = LeaseMessage | ListenMessage;

interface HeartbeatOptions {
  readonly extend: (batch: readonly LeaseToExtend[]) => Promise<ExtendedLease[]>;
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly notify: (message: LeaseMessage) => void;
}

/** The least time between two `failed` messages. */
const MIN_FAILED_MS = 1_000;

/**
 * Renews leases, each when a third of it is over, and asks at every heartbeat whether the worker still has them and
 * whether somebody wants one cancelled. Where the database's clock was set forward, a lease may be short by that clock
 * alone: the statement renews it then, long before anybody may take it (`maintenance/expired-leases.ts`).
 *
 * Invariant: `lost` is sent before the lease ends in the database and another worker can get the run, because the
 * monotonic clock counts from before the statement that granted the lease was sent. (A worker that counted as vanished
 * because its session was cut learns it from the first heartbeat after it is back.) A check may be late by a quarter of
 * the time between two checks. A heartbeat that hangs delays the next one, but not the `lost` of the leases it did not
 * renew.
 */
export class LeaseHeartbeat {
  readonly #leases = new Map<string, Lease>();
  #asking: Promise<void> | null = null;
  #isAgain = false;
  /** The next heartbeat renews every lease. */
  #areAllDue = false;
  #isStopped = false;
  #isFailing = false;
  #failedMs = -Infinity;

  constructor(private readonly options: HeartbeatOptions) {}

  /** Holds a lease, or takes over what has changed; a renewal that the caller does not know of yet is kept. */
  hold(lease: Lease): void {
    const known = this.#leases.get(lease.id);
    const grantedMs = known?.fence === lease.fence ? Math.max(known.grantedMs, lease.grantedMs) : lease.grantedMs;
    this.#leases.set(lease.id, { ...lease, grantedMs });
  }

  letGo({ id, fence }: Pick<Lease, 'id' | 'fence'>): void {
    if (this.#leases.get(id)?.fence === fence) this.#leases.delete(id);
  }

  has(id: string): boolean {
    return this.#leases.has(id);
  }

  all(): Lease[] {
    return [...this.#leases.values()];
  }

  /** Heartbeats until `signal` aborts. */
  async runUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(this.options.clock, this.options.intervalMs, signal);
      if (!signal.aborted) this.ask();
    }
    this.stop();
  }

  /** Sends no heartbeat any more, and reports no failure: the one on its way may fail as its connection is closed. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Sends one heartbeat now; none while the last one has not been answered, and none without leases. */
  ask(): void {
    if (this.#isStopped) return;
    if (this.#leases.size > 0) this.#asking ??= this.#askDatabase().finally(() => this.#answered());
    this.#loseExpired();
  }

  /** Sends one heartbeat, with leases or without; where the last one has not been answered, right after its answer. */
  askAgain(): void {
    if (this.#isStopped) return;
    if (this.#asking === null) this.#asking = this.#askDatabase().finally(() => this.#answered());
    else this.#isAgain = true;
  }

  /** Renews every lease now; where that fails, the next heartbeat that is answered does it. */
  renew(): void {
    this.#areAllDue = true;
    this.askAgain();
  }

  /**
   * Reports that the database cannot be reached, at most once a second; the next heartbeat that it answers sends
   * `recovered`.
   */
  fail(error: unknown): void {
    if (this.#isStopped) return;
    const { clock, notify } = this.options;
    this.#isFailing = true;
    if (clock.monotonicMs() - this.#failedMs < MIN_FAILED_MS) return;
    this.#failedMs = clock.monotonicMs();
    notify({ kind: 'failed', error });
  }

  async #askDatabase(): Promise<void> {
    const { extend, clock, notify } = this.options;
    const askedMs = clock.monotonicMs();
    const asked = this.all();
    const areAllDue = this.#areAllDue;
    this.#areAllDue = false;
    try {
      const answers = new Map(
        (await extend(asked.map((lease) => toExtend(lease, askedMs, areAllDue)))).map((held) => [held.id, held]),
      );
      if (this.#isFailing) notify({ kind: 'recovered' });
      this.#isFailing = false;
      for (const lease of asked) this.#apply(lease, answers.get(lease.id), askedMs);
    } catch (error) {
      this.#areAllDue ||= areAllDue;
      this.fail(error);
    }
  }

  #answered(): void {
    this.#asking = null;
    if (!this.#isAgain) return;
    this.#isAgain = false;
    this.askAgain();
  }

  #apply(lease: Lease, held: ExtendedLease | undefined, askedMs: number): void {
    const { id, fence } = lease;
    // the worker let go of it while this heartbeat was on its way
    const current = this.#leases.get(id);
    if (current?.fence !== fence) return;
    if (held === undefined) return this.#lose(lease);
    if (held.isExtended) {
      this.#leases.set(id, { ...current, grantedMs: askedMs });
      this.options.notify({ kind: 'extended', id, fence, grantedMs: askedMs });
    }
    if (held.isCancelRequested) {
      this.options.notify({
        kind: 'cancel_requested',
        id,
        fence,
        by: held.cancelRequestedBy,
        reason: held.cancelReason,
      });
    }
  }

  /** Gives up the leases that the database has not confirmed and that would be over before the next check. */
  #loseExpired(): void {
    const { clock, intervalMs } = this.options;
    const nowMs = clock.monotonicMs();
    for (const lease of this.#leases.values()) if (isOverByNextLook(lease, nowMs, intervalMs)) this.#lose(lease);
  }

  #lose({ id, fence }: Lease): void {
    this.letGo({ id, fence });
    this.options.notify({ kind: 'lost', id, fence });
  }
}

function toExtend(
  { id, fence, leaseMs, grantedMs, keepUntilMs }: Lease,
  nowMs: number,
  areAllDue: boolean,
): LeaseToExtend {
  if (nowMs >= keepUntilMs) return { id, fence, leaseMs, renew: 'never' };
  return { id, fence, leaseMs, renew: areAllDue || nowMs - grantedMs >= leaseMs / 3 ? 'now' : 'when_short' };
}
