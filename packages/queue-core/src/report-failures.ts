import type { Clock } from './clock.js';
import type { EmitEvent } from './events.js';

const MIN_INTERVAL_MS = 1_000;

/**
 * Reports statements that fail and their recovery, per purpose, at most once a second each: a database that is down, or
 * that fails every other statement, must not fill a disk with log lines. Failures that were not reported are counted in
 * the next report, and a recovery is reported only after a reported failure.
 */
export function reportFailures(worker: string, clock: Clock, emit: EmitEvent) {
  const causes = new Map<string, { failures: number; isTold: boolean; toldMs: number }>();
  return {
    failed(during: string, error: unknown): void {
      const cause = causes.get(during) ?? { failures: 0, isTold: false, toldMs: -Infinity };
      cause.failures++;
      causes.set(during, cause);
      if (clock.monotonicMs() - cause.toldMs < MIN_INTERVAL_MS) return;
      cause.toldMs = clock.monotonicMs();
      cause.isTold = true;
      emit({ name: 'database.failed', worker, during, error, failures: cause.failures });
    },
    succeeded(during: string): void {
      const cause = causes.get(during);
      if (cause === undefined || !cause.isTold) return;
      cause.isTold = false;
      emit({ name: 'database.recovered', worker, during, failures: cause.failures });
      cause.failures = 0;
    },
  };
}

export type FailureReport = ReturnType<typeof reportFailures>;
