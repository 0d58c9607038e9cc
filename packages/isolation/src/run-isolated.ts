import { AbortReason, type Outcome } from '@duework/queue-core/handling';
import { HandlerKilledError, type IsolatedAttempt } from '@duework/queue-core';
import { fromEnding } from './from-ending.js';
import { ProcessPool, type PooledProcess } from './process-pool.js';
import { serveThread } from './serve-thread.js';
import type { ProcessEnding } from './start-process.js';
import { decodeError } from './wire/decode-error.js';
import { isAnswer, type Answer, type FromProcess, type WireOutcome } from './wire/messages.js';

/**
 * Runs one attempt of an isolated handler: in a thread, inside a process that belongs to this attempt while it lasts.
 *
 *   worker ── process of the attempt ── supervisor (its main thread) ── handler's thread
 *
 * A thread alone would not do: V8 ends the whole process when one large allocation crosses a thread's heap limit, Buffers
 * are outside of that limit, and a thread inside a native call cannot be terminated. docs/how-to/isolation.md has the figures.
 *
 * Nothing of an attempt outlives it: this resolves or rejects when all it asked for is written, and its process has ended
 * or is at rest, with nothing left that could go on. Only a process at rest takes another attempt; one that was told to
 * abort, whose handler left something open, or that has grown, ends.
 */

/** How long a process may take to end or to come to rest once it has answered. */
export const EXIT_MS = 1_000;

export async function runIsolated(module: URL, attempt: IsolatedAttempt): Promise<Outcome<unknown> | void> {
  const { run, signal } = attempt.context;
  const pool = ProcessPool.of(attempt.host);
  for (;;) {
    signal.throwIfAborted();
    const child = await pool.take(`${run.type} ${attempt.memoryMb} ${module.href}`);
    const isNew = child.jobs === 0;
    const { answer, ending, hasBegun, isKilled } = await runIn(child, module, attempt);
    if (ending === null) pool.keep(child, attempt.clock);
    // an answer that came before the kill counts, because the handler's work is done
    if (answer !== null) return read(answer);
    if (isKilled)
      throw new HandlerKilledError(`The handler ignored its signal for ${attempt.graceMs} ms and was killed.`);
    // one that ended while it was idle has not seen this attempt
    if (isNew || hasBegun) throw fromEnding(ending!, attempt.memoryMb);
  }
}

interface Ran {
  readonly answer: Answer | null;
  /** null: the process is at rest and can take another attempt. */
  readonly ending: ProcessEnding | null;
  readonly hasBegun: boolean;
  readonly isKilled: boolean;
}

async function runIn(child: PooledProcess, module: URL, attempt: IsolatedAttempt): Promise<Ran> {
  const { context, memoryMb, maxJobs, graceMs, clock } = attempt;
  const { signal, run, payload } = context;
  let answer: Answer | null = null;
  let hasBegun = false;
  let isKilled = false;
  let cancelKill = (): void => {};
  let rest!: (ending: null) => void;
  const atRest = new Promise<null>((resolve) => (rest = resolve));
  const service = serveThread(context, child.post);
  child.listen((message: FromProcess) => {
    if (message.kind === 'begun') return void (hasBegun = true);
    if (message.kind === 'at_rest') return signal.aborted ? child.kill() : rest(null);
    if (!isAnswer(message)) return service.receive(message);
    if (answer !== null) return;
    answer = message;
    cancelKill();
    cancelKill = clock.after(EXIT_MS, child.kill);
  });
  const stop = (): void => {
    if (answer !== null) return;
    child.post(toAbort(signal.reason));
    cancelKill = clock.after(graceMs, () => {
      isKilled = true;
      child.kill();
    });
  };
  signal.addEventListener('abort', stop, { once: true });
  const mayStay = ++child.jobs < maxJobs;
  child.post({ kind: 'start', module: module.href, memoryMb, type: run.type, attempt: { payload, run }, mayStay });
  if (signal.aborted) stop();
  const ending = await Promise.race([child.ended, atRest]);
  signal.removeEventListener('abort', stop);
  cancelKill();
  await service.close();
  return { answer, ending, hasBegun, isKilled };
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
