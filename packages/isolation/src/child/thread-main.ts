/**
 * The handler's thread: loads its module once, runs one attempt at a time, answers each once. Whatever the handler throws,
 * now or later, is the attempt's error. Its own channel with the supervisor leaves `parentPort` to the handler's libraries.
 */
import { inspect } from 'node:util';
import { workerData, type MessagePort } from 'node:worker_threads';
import { systemClock, waitAtMost } from '@duework/queue-core/handling';
import { encodeError } from '../wire/encode-error.js';
import type { Answer, FromThread, SentAttempt, StartMessage, ToThread } from '../wire/messages.js';
import { awaitRest } from './await-rest.js';
import { encodeOutcome } from './encode-outcome.js';
import { loadHandler } from './load-handler.js';
import { makeThreadContext, type ThreadAttempt } from './make-thread-context.js';
import { takeRoom } from './message-room.js';

/** The last output is written before the thread ends, but a blocked output does not hold the attempt. */
const FLUSH_MS = 1_000;

const { port, start, backlog } = workerData as { port: MessagePort; start: StartMessage; backlog: Int32Array };
const post = (message: FromThread): void => {
  takeRoom(backlog);
  port.postMessage(message);
};
/** null: the thread is at rest. */
let current: ThreadAttempt | null = null;
let isAnswered = false;

process.on('uncaughtException', (error) => void fail(error));
process.on('unhandledRejection', (error) => void fail(error));
port.on('message', (message: StartMessage | ToThread) => {
  if (message.kind === 'start') begin(message);
  else current?.receive(message);
});
begin(start);

/** Awaited by nobody: Node 24 aborts the process if a thread is ended while one of its modules still waits. */
function begin({ attempt }: StartMessage): void {
  isAnswered = false;
  void (attempt === null ? load() : run(attempt));
}

async function load(): Promise<void> {
  try {
    await loadHandler(start.module, start.type);
    await answer({ kind: 'returned', outcome: { kind: 'complete', json: 'null' } });
  } catch (error) {
    await answer(threw(error));
  }
}

async function run(attempt: SentAttempt): Promise<void> {
  post({ kind: 'begun' });
  const own = (current = makeThreadContext(attempt, post));
  let isLoaded = false;
  let given: Answer;
  try {
    const handler = await loadHandler(start.module, start.type);
    isLoaded = true;
    own.context.signal.throwIfAborted();
    given = { kind: 'returned', outcome: encodeOutcome(await handler(own.context), own.context.log) };
  } catch (error) {
    given = threw(error);
  }
  if (await answer(given)) await rest(own, isLoaded);
}

function threw(error: unknown): Answer {
  return { kind: 'threw', error: encodeError(error) };
}

/** false: another answer came first, and only the first counts. */
async function answer(given: Answer): Promise<boolean> {
  if (isAnswered) return false;
  isAnswered = true;
  current?.close();
  const flushed = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  );
  await waitAtMost(systemClock, FLUSH_MS, Promise.all(flushed));
  post(given);
  return true;
}

/** A module that could not be loaded is tried again by another process: Node remembers what it could not load. */
async function rest(own: ThreadAttempt, isLoaded: boolean): Promise<void> {
  const isAtRest = isLoaded && (await awaitRest(port)) && !own.hasCalls();
  if (isAtRest) current = null;
  post({ kind: isAtRest ? 'at_rest' : 'left' });
}

/** What nobody caught is the error of the attempt that runs; between two attempts it ends the process. */
async function fail(error: unknown): Promise<void> {
  if (current === null && start.attempt !== null)
    return void process.stderr.write(`${inspect(error)}\n`, () => process.exit(1));
  await answer(threw(error));
  post({ kind: 'left' });
}
