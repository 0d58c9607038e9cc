import type { HeldRun } from '../claim/held-run.js';
import type { Engine } from '../worker/engine.js';
import { holdLease } from './hold-lease.js';

/** The attempt begins: its lease is renewed for as long as it may last. A lost lease is not renewed. */
export function enterRunning(engine: Pick<Engine, 'leases' | 'graceMs'>, held: HeldRun, startedMs: number): void {
  const { timeoutMs, leaseMs } = held.contract;
  if (held.enter('running')) holdLease(engine, held, startedMs + timeoutMs + engine.graceMs + leaseMs);
}
