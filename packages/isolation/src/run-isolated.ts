import { AbortReason, type Outcome } from '@duework/queue-core/handling';
import { HandlerKilledError, type IsolatedAttempt } from '@duework/queue-core';
import { fromEnding } from './from-ending.js';
import { serveThread } from './serve-thread.js';
import { startProcess } from './start-process.js';
import { decodeError } from './wire/decode-error.js';
import { isAnswer, type Answer, type WireOutcome } from './wire/messages.js';

/**
 * Runs one attempt of an isolated handler: in a thread of its own, inside a process that belongs to this attempt only.
 *
 *   worker ── process of the attempt ── supervisor (its main thread) ── handler's thread
 *
 * A thread alone would not do: V8 ends the whole process when one large allocation crosses a thread's heap limit, Buffers
 * are outside of that limit, and a thread inside a native call cannot be terminated. docs/how-to/isolation.md has the figures.
 *
 * The process never outlives its attempt: this resolves or rejects when the process has ended and all it asked for is
 * written.
 */

/** How long a process may take to end once it has answered. */
export const EXIT_MS = 1_000;

export async function runIsolated(
  module: URL,
  { context, memoryMb, graceMs, clock }: IsolatedAttempt,
): Promise<Outcome<unknown> | void> {
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
  child.post({ kind: 'start', module: module.href, memoryMb, type: run.type, attempt: { payload, run } });
  const ending = await child.ended;
  signal.removeEventListener('abort', stop);
  cancelKill();
  await service.close();
  // an answer that came before the kill counts, because the handler's work is done
  if (answer !== null) return read(answer);
  if (isKilled) throw new HandlerKilledError(`The handler ignored its signal for ${graceMs} ms and was killed.`);
  throw fromEnding(ending, memoryMb);
}

function toAbort(reason: unknown) {
  const { code, message, by } = AbortReason.is(reason) ? reason : new AbortReason('cancelled', String(reason));
  return { kind: 'abort', code, message, by } as const;
}

function read(answer: Answer): Outcome<unknown> {
  if (answer.kind === 'threw') throw decodeError(answer.error);
  return toOutcome(answer.outcome);
}

function toOutcome(wire: WireOutcome): Outcome<unknown> {
  return wire.kind === 'complete' ? { kind: 'complete', result: JSON.parse(wire.json) as unknown } : wire;
}
