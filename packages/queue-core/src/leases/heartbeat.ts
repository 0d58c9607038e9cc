import type { WakeMessage } from '../ports/wakes.js';
import type { Abilities } from '../wake/listener-group.js';
import type { HeldLease } from './held-lease.js';

export type { Lease } from './lease.js';

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

export type EngineMessage =
  /**
   * Renewed. The worker passes the new `grantedMs` back with `hold`, because a replaced lease thread knows only that.
   */
  | { readonly kind: 'extended'; readonly id: string; readonly fence: number; readonly grantedMs: number }
  /** The lease is over, or cannot be renewed in time: another worker may have the run. */
  | { readonly kind: 'lost'; readonly id: string; readonly fence: number }
  | WakeMessage
  /**
   * This worker is one of those that a wake-up chooses. `passOn` chooses another one, and does nothing if there is
   * none.
   */
  | { readonly kind: 'chosen'; readonly isLater: boolean; readonly passOn: () => void }
  /** This worker looks in a while whether those that were chosen have claimed; `doubt`: they have not. */
  | { readonly kind: 'spare'; readonly doubt: () => void }
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
