import type { Clock } from '../clock.js';
import { AbortReason } from '../engine/abort-reason.js';
import type { JobContext } from '../handler.js';
import type { Outcome } from '../outcome.js';
import { IsolationError } from './isolation-error.js';
import type { IsolatedHandler } from './isolated.js';
import { serveThread } from './serve-thread.js';
import { startProcess, type ProcessEnding } from './start-process.js';
import { decodeError } from './wire/decode-error.js';
import { isAnswer, type Answer, type WireOutcome } from './wire/messages.js';

/**
 * Runs one attempt of an isolated handler: in a thread of its own, whose process is the attempt's own too.
 *
 *   worker ── process of the attempt ── supervisor (its main thread) ── handler's thread
 *
 * A thread alone would not do: V8 ends the whole process when one large allocation crosses a thread's heap limit, Buffers
 * are outside of that limit, and a thread inside a native call cannot be terminated. docs/isolation.md has the figures.
 *
 * The process never outlives its attempt: this resolves or rejects when it has ended, and all it asked for is written.
 */
export interface IsolatedRun {
  readonly handler: IsolatedHandler;
  readonly context: JobContext;
  readonly memoryMb: number;
  /** How long the thread may ignore its signal before it is killed. */
  readonly graceMs: number;
  readonly clock: Clock;
}

/** The thread ignored its signal for a whole grace and was killed. */
export class ThreadKilledError extends Error {
  override readonly name = 'ThreadKilledError';
  readonly code = 'thread_killed';
}

/** How long a process may take to end once it has answered. */
const EXIT_MS = 1_000;

/** How V8 and Linux end a process that needs too much memory at once. */
const MEMORY_SIGNALS = new Set<NodeJS.Signals | null>(['SIGABRT', 'SIGTRAP', 'SIGKILL']);

export async function runIsolated({
  handler,
  context,
  memoryMb,
  graceMs,
  clock,
}: IsolatedRun): Promise<Outcome | void> {
  const { signal, run, payload } = context;
  signal.throwIfAborted();
  let answer: Answer | null = null;
  let isKilled = false;
  let cancelKill = (): void => {};
  const child = startProcess((message) => {
    if (!isAnswer(message)) return service.receive(message);
    answer = message;
    cancelKill();
    cancelKill = clock.after(EXIT_MS, child.kill);
  });
  const service = serveThread(context, child.post);
  const stop = (): void => {
    if (answer !== null) return;
    child.post(toAbort(signal.reason));
    cancelKill = clock.after(graceMs, () => {
      isKilled = true;
      child.kill();
    });
  };
  signal.addEventListener('abort', stop, { once: true });
  child.post({ kind: 'start', module: handler.module.href, memoryMb, payload, run });
  const ending = await child.ended;
  signal.removeEventListener('abort', stop);
  cancelKill();
  await service.close();
  // an answer that came before the kill counts: what the handler did is done
  if (answer !== null) return read(answer);
  if (isKilled) throw new ThreadKilledError(`The handler ignored its signal for ${graceMs} ms and was killed.`);
  throw fromEnding(ending, memoryMb);
}

function toAbort(reason: unknown) {
  const { code, message, by } = reason instanceof AbortReason ? reason : new AbortReason('cancelled', String(reason));
  return { kind: 'abort', code, message, by } as const;
}

function read(answer: Answer): Outcome | void {
  if (answer.kind === 'threw') throw decodeError(answer.error);
  return answer.outcome === null ? undefined : toOutcome(answer.outcome);
}

function toOutcome(wire: WireOutcome): Outcome {
  return wire.kind === 'complete' ? { kind: 'complete', result: JSON.parse(wire.json) as unknown } : wire;
}

function fromEnding({ signal, error }: ProcessEnding, memoryMb: number): IsolationError {
  if (error !== null)
    return new IsolationError('thread_exited', `The process of this attempt could not be started: ${error.message}`, {
      cause: error,
    });
  if (!MEMORY_SIGNALS.has(signal))
    return new IsolationError(
      'thread_exited',
      `The process of this attempt ended (${signal ?? 'without a signal'}) before its handler had.`,
    );
  return new IsolationError(
    'memory_limit_exceeded',
    `The process of this attempt was ended by ${signal}, as one is that needs too much memory at once; its contract gives it ${memoryMb} MiB.`,
  );
}
