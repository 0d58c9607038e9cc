import type { ListenMessage } from '../wake/listen-for-wakes.js';
import type { Abilities } from '../wake/listener-group.js';
import type { HeldLease } from './lease.js';
import type { Clock } from '../clock.js';
import type { RunStore } from '../ports/runs.js';
import { LeaseHeartbeat, type LeaseMessage } from './lease-heartbeat.js';

/**
 * Extends the leases of the runs a worker holds, and reports when one is lost or when somebody wants its run cancelled.
 * Two implementations: in this thread (any store), and in a thread of its own with a connection of its own
 * (PostgreSQL), which a handler that blocks the event loop cannot starve. The latter receives wake-ups too.
 */
export interface Heartbeat {
  /** Whether it receives wake-ups for enqueued work: then the worker can poll less often. */
  readonly isListening: boolean;
  /** Begins to extend leases for the worker of that name. Every message goes to `listener`. */
  start(worker: string, listener: (message: EngineMessage) => void, abilities?: Abilities): Promise<void>;
  /** Extends a lease from now on, or takes over what has changed about it. */
  hold(lease: HeldLease): void;
  /** Extends this claim's lease no longer: it was settled or given up. Does nothing where it is not held. */
  letGo(lease: HeldLease): void;
  /** Renews every lease now, due or not: those that are gone are `lost`. Where the database is away, as soon as it answers. */
  renew(): void;
  /** Receives no more wake-ups: the worker stops, and others are chosen in its place. */
  stopListening?(): void;
  stop(): Promise<void>;
}

/** What a heartbeat sends its worker: what it finds out about leases, and the wake-ups that it hears. */
export type EngineMessage = LeaseMessage | ListenMessage;

/** Extends leases from this thread, through the store: for stores that have no other way, and for tests. */
export function heartbeatHere(store: Pick<RunStore, 'extendLeases'>, clock: Clock, intervalMs: number): Heartbeat {
  const stopping = new AbortController();
  let listener: (message: EngineMessage) => void = () => {};
  const heartbeat = new LeaseHeartbeat({
    extend: (batch) => store.extendLeases(batch),
    clock,
    intervalMs,
    notify: (message) => listener(message),
  });
  return {
    isListening: false,
    async start(_worker, given) {
      listener = given;
      void heartbeat.runUntil(stopping.signal);
    },
    hold: (lease) => heartbeat.hold(lease),
    letGo: (lease) => heartbeat.letGo(lease),
    renew: () => heartbeat.renew(),
    async stop() {
      stopping.abort();
    },
  };
}
