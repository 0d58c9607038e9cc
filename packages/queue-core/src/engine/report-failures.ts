import type { Clock } from '../clock.js';
import type { EmitEvent } from '../events.js';

const MIN_INTERVAL_MS = 1_000;

/**
 * Tells of statements that fail and of their recovery, per purpose, at most once a second each: a database that is down
 * must not fill a disk with log lines.
 */
export function reportFailures(worker: string, clock: Clock, emit: EmitEvent) {
  const failing = new Map<string, { failures: number; toldMs: number }>();
  return {
    failed(during: string, error: unknown): void {
      const known = failing.get(during) ?? { failures: 0, toldMs: -Infinity };
      known.failures++;
      failing.set(during, known);
      if (clock.monotonicMs() - known.toldMs < MIN_INTERVAL_MS) return;
      known.toldMs = clock.monotonicMs();
      emit({ name: 'database.failed', worker, during, error, failures: known.failures });
    },
    succeeded(during: string): void {
      const known = failing.get(during);
      if (known === undefined) return;
      failing.delete(during);
      emit({ name: 'database.recovered', worker, during, failures: known.failures });
    },
  };
}

export type FailureReport = ReturnType<typeof reportFailures>;
