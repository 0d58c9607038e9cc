/**
 * The handler's thread: loads its module, runs it once, answers once. Whatever the handler throws, now or later, is the
 * attempt's error. Its own channel with the supervisor leaves `parentPort` to the handler's libraries.
 */
import { workerData, type MessagePort } from 'node:worker_threads';
import { systemClock, waitAtMost } from '@duework/queue-core/handling';
import { encodeError } from '../wire/encode-error.js';
import type { Answer, FromThread, SentAttempt, StartMessage, ToThread } from '../wire/messages.js';
import { encodeOutcome } from './encode-outcome.js';
import { loadHandler } from './load-handler.js';
import { makeThreadContext } from './make-thread-context.js';
import { takeRoom } from './message-room.js';

/** The last output is written before the thread ends, but a blocked output does not hold the attempt. */
const FLUSH_MS = 1_000;

const { port, start, backlog } = workerData as { port: MessagePort; start: StartMessage; backlog: Int32Array };
const post = (message: FromThread): void => {
  takeRoom(backlog);
  port.postMessage(message);
};
process.on('uncaughtException', (error) => void answer(threw(error)));
process.on('unhandledRejection', (error) => void answer(threw(error)));
// awaited by nobody: Node 24 aborts the process if a thread is ended while one of its modules still waits
void (start.attempt === null ? load() : run(start.attempt)).then(answer);

async function load(): Promise<Answer> {
  try {
    await loadHandler(start.module, start.type);
    return { kind: 'returned', outcome: { kind: 'complete', json: 'null' } };
  } catch (error) {
    return threw(error);
  }
}

async function run(attempt: SentAttempt): Promise<Answer> {
  const { context, receive } = makeThreadContext(attempt, post);
  port.on('message', (message: ToThread) => receive(message));
  try {
    const handler = await loadHandler(start.module, start.type);
    context.signal.throwIfAborted();
    return { kind: 'returned', outcome: encodeOutcome(await handler(context), context.log) };
  } catch (error) {
    return threw(error);
  }
}

function threw(error: unknown): Answer {
  return { kind: 'threw', error: encodeError(error) };
}

/** Only the first answer counts. */
async function answer(given: Answer): Promise<void> {
  const flushed = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  );
  await waitAtMost(systemClock, FLUSH_MS, Promise.all(flushed));
  post(given);
}
