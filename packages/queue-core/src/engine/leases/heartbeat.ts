import type { WakeMessage } from '../../ports/wakes.js';
import type { HeldLease } from './held-lease.js';

export type { Lease } from './lease.js';

/**
 * Keeps the leases of the runs a worker holds: renews them, and says when one is lost or when somebody wants its run
 * cancelled. Two implementations: in this thread (any store), and in a thread of its own with a connection of its own
 * (PostgreSQL), which a handler that blocks the event loop cannot starve. The latter hears of wake-ups too.
 */
export interface Heartbeat {
  /** Whether it hears of work that is enqueued: the worker need not look for it so often then. */
  readonly isListening: boolean;
  /** Begins to heartbeat, for the worker of that name. Every message goes to `listener`. */
  start(worker: string, listener: (message: EngineMessage) => void): Promise<void>;
  /** Holds a lease from now on, or hears what has changed about it. */
  hold(lease: HeldLease): void;
  /** Settled or given up: this claim of the run is no longer renewed. Nothing happens where it is not held. */
  letGo(lease: HeldLease): void;
  stop(): Promise<void>;
}

export type EngineMessage =
  /** Renewed. Whoever holds it tells the heartbeat so with `hold`: one that begins anew knows no more than that. */
  | { readonly kind: 'extended'; readonly id: string; readonly fence: number; readonly grantedMs: number }
  /** The lease is over, or will be before anybody can renew it: another worker may have the run. */
  | { readonly kind: 'lost'; readonly id: string; readonly fence: number }
  | WakeMessage
  /** The session by which others see that this worker lives is gone, and `back` when there is one again; heartbeats without one tell neither. */
  | { readonly kind: 'away' }
  | { readonly kind: 'back' }
  /** Leases cannot be renewed at the moment; it is tried again. At most one a second, and `recovered` when it is over. */
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'recovered' };
