import { pause, type Clock } from '../clock.js';
import { WAKE_CHANNEL } from '../sql/channels.js';
import { KeptConnection } from './kept-connection.js';
import type { EngineMessage } from './leases/heartbeat.js';

export interface ListenOptions {
  readonly url: string;
  /** The `options` of the session. */
  readonly options?: string;
  readonly clock: Clock;
  /** Receives `woken`; `listen_failed` when wake-ups can no longer be received, and `listening` when they can again. */
  readonly notify: (message: EngineMessage) => void;
  readonly answerLimitMs?: number;
  readonly checkIntervalMs?: number;
}

/**
 * How often the connection is checked: a worker that is not listening still polls, so a cut one need not be found at
 * once.
 */
const CHECK_MS = 60_000;
const ANSWER_LIMIT_MS = 5_000;

/**
 * Receives wake-ups until `signal` aborts, on a connection of its own and in this thread: through the lease thread each
 * would come a fifth of a millisecond later. A connection may have been cut for a while before that is found, so a new
 * connection counts as a wake-up too. Resolves when the first try to connect has succeeded or failed; never rejects.
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
    // without an answer the connection is made again, and `onLost` and `onOpen` report it
    await connection.query('SELECT 1').catch(() => {});
  }
}
