import { pause, type Clock } from '../clock.js';
import { WAKE_CHANNEL } from '../sql/channels.js';
import { KeptConnection } from './kept-connection.js';
import type { EngineMessage } from './leases/heartbeat.js';

export interface ListenOptions {
  readonly url: string;
  /** The `options` of the session. */
  readonly options?: string;
  readonly clock: Clock;
  /** Told `woken`, and `listen_failed` and `listening` where wake-ups cannot be heard for a while. */
  readonly notify: (message: EngineMessage) => void;
  readonly answerLimitMs?: number;
  readonly checkIntervalMs?: number;
}

/** Whoever is not listening still polls, so it need not be noticed at once. */
const CHECK_MS = 60_000;
const ANSWER_LIMIT_MS = 5_000;

/**
 * Hears of wake-ups until `signal` aborts, on a connection of its own and in this thread: on that of the leases, which is another
 * thread's, each would come a fifth of a millisecond later. A connection may have been not listening for a while before that is noticed,
 * so a new one is a wake-up too. Resolves when the first try to connect has ended, one way or the other; never rejects.
 */
export async function listenForWakes(signal: AbortSignal, options: ListenOptions): Promise<void> {
  const {
    url,
    options: settings = '',
    clock,
    notify,
    answerLimitMs = ANSWER_LIMIT_MS,
    checkIntervalMs = CHECK_MS,
  } = options;
  let endFirst = (): void => {};
  const isTried = new Promise<void>((resolve) => (endFirst = resolve));
  const connection = new KeptConnection({
    config: {
      connectionString: url,
      options: `${settings} -c TimeZone=UTC`.trim(),
      application_name: 'duework wake-ups',
    },
    greet: (ask) => ask(`LISTEN ${WAKE_CHANNEL}`),
    answerLimitMs,
    clock,
    onOpen: () => {
      endFirst();
      notify({ kind: 'listening' });
      // guard: listen-anew
      notify({ kind: 'woken', queue: null });
      // guard end: listen-anew
    },
    onLost: (error) => {
      endFirst();
      notify({ kind: 'listen_failed', error });
    },
    onNotification: (_channel, queue) => notify({ kind: 'woken', queue: queue === '' ? null : queue }),
  });
  void checkUntil(signal, connection, clock, checkIntervalMs);
  await Promise.race([isTried, connection.keepOpen(signal)]);
}

async function checkUntil(
  signal: AbortSignal,
  connection: KeptConnection,
  clock: Clock,
  intervalMs: number,
): Promise<void> {
  for (;;) {
    await pause(clock, intervalMs, signal);
    if (signal.aborted) return;
    // without an answer it is made anew, and that is told
    await connection.query('SELECT 1').catch(() => {});
  }
}
