import { systemClock as clock } from '@duework/queue-core';
import type { Runtime } from './create-runtime.js';
import type { Log } from './logs/worker-log.js';

/** How long a second signal leaves for releasing what still runs. */
const HURRY_MS = 2_000;

/**
 * Installs the handlers of a process that is the worker's own. The first SIGTERM or SIGINT lets running jobs end until
 * the deadline and releases the rest; a second one releases everything now; a third one ends the process at once and
 * leaves what still runs to the rescue. After an uncaught fault the worker stops, with exit code 1.
 */
export function handleSignals(runtime: Runtime, log: Pick<Log, 'info'>): void {
  let signals = 0;
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    process.on(signal, () => {
      signals++;
      if (signals > 2) process.exit(code);
      log.info({ signal }, 'signal.received');
      if (signals === 1) return runtime.stop(0);
      process.exitCode = code;
      clock.after(HURRY_MS, () => process.exit(code));
      runtime.hurry(code);
    });
  }
  process.on('uncaughtException', (error) => runtime.fail('uncaughtException', error));
  process.on('unhandledRejection', (error) => runtime.fail('unhandledRejection', error));
}
