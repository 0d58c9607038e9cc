import type { Clock } from '../clock.js';
import type { RunStore } from '../ports/runs.js';
import { LeaseHeartbeat } from './lease-heartbeat.js';
import type { Heartbeat, EngineMessage } from './heartbeat.js';

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
