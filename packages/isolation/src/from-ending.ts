import { IsolationError } from './isolation-error.js';
import type { ProcessEnding } from './start-process.js';

/** The signals by which V8 and Linux end a process that needs too much memory at once. */
const MEMORY_SIGNALS = new Set<NodeJS.Signals | null>(['SIGABRT', 'SIGTRAP', 'SIGKILL']);

/** Why the process of an attempt has ended without an answer, though nobody here has killed it. */
export function fromEnding({ signal, error }: ProcessEnding, memoryMb: number): IsolationError {
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
    `The process of this attempt was ended by ${signal}, probably for memory: its contract allows ${memoryMb} MiB. Raise isolate.memoryMb, or use less.`,
  );
}
