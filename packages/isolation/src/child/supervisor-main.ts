/**
 * The main thread of a process of isolated attempts, which runs one at a time. It never runs the handler's code, so it can
 * always act: it carries messages between the worker and the handler's thread, watches the memory of the process, and ends
 * the process, with all it has started, when the worker ends, and after an attempt unless the thread is at rest.
 */
import { writeFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { IsolationError } from '../isolation-error.js';
import { encodeError } from '../wire/encode-error.js';
import {
  isAnswer,
  type Answer,
  type FromProcess,
  type FromThread,
  type StartMessage,
  type ToThread,
} from '../wire/messages.js';
import { giveRoom, makeBacklog } from './message-room.js';
import { watchMemory } from './watch-memory.js';

// a terminal and a service manager signal the whole group; the worker decides, and aborts the attempt itself
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', endGroup);
// when nobody reads its output any more, the attempt goes on
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
try {
  // when the machine runs out of memory, Linux ends this process before the worker
  writeFileSync('/proc/self/oom_score_adj', '500');
} catch {
  // the system is not Linux
}
process.once('message', (start: StartMessage) => supervise(start));

function supervise(start: StartMessage): void {
  const { port1: port, port2 } = new MessageChannel();
  const backlog = makeBacklog();
  const thread = new Worker(new URL('./thread-main.js', import.meta.url), {
    workerData: { port: port2, start, backlog },
    transferList: [port2],
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: start.memoryMb,
      maxYoungGenerationSizeMb: Math.min(48, Math.ceil(start.memoryMb / 4)),
    },
  });
  thread.stdout.pipe(process.stdout, { end: false });
  thread.stderr.pipe(process.stderr, { end: false });
  const memory = watchMemory(start.memoryMb, () => end(threw(outOfMemory(start)), false));
  let stopWatching = memory.begin();
  let { mayStay } = start;
  let isEnding = false;
  // of the attempt that runs; only its first answer counts, whatever its thread comes to after that
  let answered: Promise<unknown> | null = null;

  const carry = (message: FromThread): void => {
    if (message.kind === 'left' || (message.kind === 'at_rest' && !memory.hasRoom())) return end(null);
    if (isAnswer(message) && (!mayStay || answered !== null)) return end(message);
    if (message.kind === 'at_rest') stopWatching();
    if (isEnding) return;
    const sent = send(message).then(() => giveRoom(backlog));
    if (isAnswer(message)) answered = sent;
  };
  const end = (answer: Answer | null, isOutputAwaited = true): void => {
    if (isEnding) return;
    isEnding = true;
    stopWatching();
    const sent = answered ?? (answer === null ? null : send(answer));
    const written = isOutputAwaited ? [thread.terminate(), finished(thread.stdout), finished(thread.stderr)] : [];
    void Promise.allSettled([sent, ...written]).then(endGroup);
  };
  port.on('message', carry);
  thread.on('error', (error: Error & { code?: string }) =>
    end(threw(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(start) : error)),
  );
  thread.on('exit', (code) => {
    for (let last = receiveMessageOnPort(port); last !== undefined; last = receiveMessageOnPort(port))
      carry(last.message as FromThread);
    end(
      threw(
        new IsolationError(
          'thread_exited',
          `The thread of this attempt exited with code ${code} before its handler had ended.`,
        ),
      ),
    );
  });
  process.on('message', (message: StartMessage | ToThread) => {
    if (message.kind === 'start') {
      stopWatching = memory.begin();
      answered = null;
      ({ mayStay } = message);
    }
    port.postMessage(message);
  });
}

/** Resolves when the message is written, or cannot be. */
function send(message: FromProcess): Promise<unknown> {
  return new Promise((resolve) => process.send!(message, undefined, undefined, resolve));
}

function outOfMemory({ memoryMb }: StartMessage): IsolationError {
  return new IsolationError(
    'memory_limit_exceeded',
    `The handler needed more than the ${memoryMb} MiB that its contract allows. Raise isolate.memoryMb, or use less.`,
  );
}

function threw(error: unknown): Answer {
  return { kind: 'threw', error: encodeError(error) };
}

/** Kills this process and every process it has started. It leads a group of its own where the system has groups. */
function endGroup(): void {
  if (process.platform === 'win32') process.exit();
  process.kill(-process.pid, 'SIGKILL');
}
