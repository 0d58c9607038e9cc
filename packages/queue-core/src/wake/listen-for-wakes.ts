import { pause, spreadPoll, type Clock } from '../clock.js';
import { LISTENERS_CHANNEL, SHUT_CHANNEL, WAKE_CHANNEL } from '../sql/wake/channels.js';
import { leaveListeners } from '../sql/wake/leave-listeners.js';
import { statementText } from '@duework/sql';
import { parseHint, type WakeHint } from './take-queues-to-wake.js';
import { KeptConnection, type Ask, type KeptDatabase } from './kept-connection.js';
import { chooseListener, ListenerGroup, PassOn, type Abilities } from './listener-group.js';
import type { WakeMessage } from '../ports/wakes.js';

/** What is heard of the work of this worker's queues. */
export type ListenMessage =
  | WakeMessage
  /**
   * This worker is one of those that a wake-up chooses. `passOn` chooses another one, and does nothing if there is
   * none.
   */
  | { readonly kind: 'chosen'; readonly isLater: boolean; readonly passOn: () => void }
  /** This worker looks in a while whether those that were chosen have claimed; `doubt`: they have not. */
  | { readonly kind: 'spare'; readonly doubt: () => void };

export interface ListenOptions extends KeptDatabase {
  readonly clock: Clock;
  /** Receives `woken` and `shut`; `listen_failed` when wake-ups can no longer be received, and `listening` when they can again. */
  readonly notify: (message: ListenMessage) => void;
  /** What the worker can do; not given: it answers every wake-up. */
  readonly abilities?: Abilities | undefined;
  readonly answerLimitMs?: number;
  readonly checkIntervalMs?: number;
}

/**
 * How often the connection is checked, and who else listens: a worker that is not listening still polls, so a cut one
 * need not be found at once, and for one that is gone a spare looks.
 */
const CHECK_MS = 60_000;
const ANSWER_LIMIT_MS = 5_000;
const LEAVE = statementText((db) => leaveListeners(db));

/**
 * Receives wake-ups until `signal` aborts, on a connection of its own and in this thread: through the lease thread each
 * would come a fifth of a millisecond later. A connection may have been cut for a while before that is found, so a new
 * connection counts as a wake-up too. Resolves when the first try to connect has succeeded or failed; never rejects.
 */
export async function listenForWakes(signal: AbortSignal, options: ListenOptions): Promise<void> {
  const {
    options: settings = '',
    clock,
    notify,
    abilities = { queues: [], types: [] },
    answerLimitMs = ANSWER_LIMIT_MS,
    checkIntervalMs = CHECK_MS,
  } = options;
  let endFirst = (): void => {};
  const isTried = new Promise<void>((resolve) => (endFirst = resolve));
  const ask: Ask = (text, values) => connection.query(text, values);
  const group = new ListenerGroup(abilities, clock, ask, signal);
  const passOn = new PassOn(clock, ask);
  const connection: KeptConnection = new KeptConnection({
    database: options,
    config: {
      // what its role or database has set for other programs would end it
      options: `-c statement_timeout=0 -c lock_timeout=0 -c idle_session_timeout=0 ${settings} -c TimeZone=UTC`.trim(),
      application_name: 'duework wake-ups',
    },
    greet: async (ask, client) => {
      await ask(`LISTEN ${WAKE_CHANNEL}; LISTEN ${LISTENERS_CHANNEL}; LISTEN ${SHUT_CHANNEL}`);
      await group.join(ask, client.processID ?? 0);
    },
    farewell: LEAVE,
    answerLimitMs,
    clock,
    onOpen: () => {
      endFirst();
      notify({ kind: 'listening' });
      notify({ kind: 'woken', queue: null });
    },
    onLost: (error) => {
      endFirst();
      notify({ kind: 'listen_failed', error });
    },
    onNotification: (channel, payload) => {
      if (channel === LISTENERS_CHANNEL) group.forget();
      else if (channel === SHUT_CHANNEL) notify(parseShut(payload));
      else if (!signal.aborted) hear(parseHint(payload));
    },
  });
  const hear = ({ queue, share }: WakeHint): void => {
    if (queue !== null && share === null) passOn.heardAll(queue);
    const place = queue === null ? null : group.placeIn(queue);
    // whoever is alone polls often after each wake-up, which finds some runs before their NOTIFY comes
    if (queue === null || share === null || !abilities.queues.includes(queue) || place?.count === 1)
      return notify({ kind: 'woken', queue });
    const chosenAs = chooseListener(place, share);
    if (chosenAs === 'spare') notify({ kind: 'spare', doubt: () => group.doubt() });
    if (chosenAs !== 'chosen') return;
    // where the others are not known, all of them are chosen
    const pass = (): void => (place === null ? undefined : passOn.pass(queue, share));
    notify({ kind: 'chosen', isLater: share.isLater, passOn: pass });
  };
  void checkUntil(signal, group, clock, checkIntervalMs);
  await Promise.race([isTried, connection.keepOpen(signal)]);
}

function parseShut(payload: string): ListenMessage {
  const [, ms, gate] = /^(\S+) (.*)$/s.exec(payload)!;
  return { kind: 'shut', gate: gate!, forMs: Number(ms) };
}

async function checkUntil(signal: AbortSignal, group: ListenerGroup, clock: Clock, intervalMs: number): Promise<void> {
  for (;;) {
    await pause(clock, spreadPoll(intervalMs, Math.random()), signal);
    if (signal.aborted) return;
    // without an answer the connection is made again, and `onLost` and `onOpen` report it
    await group.check().catch(() => {});
  }
}
