import type { IsolatedCheck } from '@duework/queue-core';
import { nameModule } from './child/load-handler.js';
import { fromEnding } from './from-ending.js';
import { IsolationError } from './isolation-error.js';
import { EXIT_MS } from './run-isolated.js';
import { startProcess } from './start-process.js';
import { decodeError } from './wire/decode-error.js';
import { isAnswer, type Answer } from './wire/messages.js';

/** A module that takes longer waits for something that does not come. */
const LOAD_MS = 60_000;

/**
 * Loads the module of an isolated handler in a process like that of an attempt, and does not call the handler.
 *
 * @throws IsolationError `isolated_module_invalid`, which names the file, when no attempt could run
 */
export async function checkModule(module: URL, asked: IsolatedCheck): Promise<void> {
  const { type, memoryMb, signal, clock } = asked;
  signal.throwIfAborted();
  let answer: Answer | undefined;
  let isLate = false;
  const child = startProcess();
  child.listen((message) => {
    if (!isAnswer(message)) return;
    answer = message;
    cancelKill();
    cancelKill = clock.after(EXIT_MS, child.kill);
  });
  let cancelKill = clock.after(LOAD_MS, () => {
    isLate = true;
    child.kill();
  });
  signal.addEventListener('abort', child.kill, { once: true });
  child.post({ kind: 'start', module: module.href, memoryMb, type, attempt: null, mayStay: false });
  const ending = await child.ended;
  signal.removeEventListener('abort', child.kill);
  cancelKill();
  const told = answer as Answer | undefined;
  if (told?.kind === 'returned') return;
  signal.throwIfAborted();
  const cause = told === undefined ? fromEnding(ending, memoryMb) : decodeError(told.error);
  const { code, message = String(cause) } = Object(cause) as { code?: unknown; message?: string };
  const why = isLate ? `has not loaded after ${LOAD_MS / 1_000} s.` : `cannot be loaded: ${message}`;
  throw new IsolationError(
    'isolated_module_invalid',
    code === 'isolated_module_invalid' ? message : `The handler of ${type}, ${nameModule(module.href)}, ${why}`,
    { cause },
  );
}
