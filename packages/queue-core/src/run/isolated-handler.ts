import type { Clock } from '../clock.js';
import type { JobContext } from './job-context.js';
import type { Outcome } from '../settle/outcome.js';

/** Of a contract whose `isolate` says nothing else. */
export const DEFAULT_MEMORY_MB = 128;

/** What an isolated handler is asked before its worker claims anything. */
export interface IsolatedCheck {
  readonly type: string;
  readonly memoryMb: number;
  /** Aborts when the worker is told to stop. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** One attempt, as the engine hands it to an isolated handler. */
export interface IsolatedAttempt {
  readonly context: JobContext;
  readonly memoryMb: number;
  /** How long the handler may ignore its signal before it is killed. */
  readonly graceMs: number;
  readonly clock: Clock;
}

/**
 * A handler that runs outside of the worker's process; `@duework/isolation` makes it. The engine knows only that `run`
 * resolves or rejects as a handler does, and rejects with a `HandlerKilledError` when the handler had to be killed.
 */
export interface IsolatedHandler {
  readonly kind: 'isolated';
  readonly module: URL;
  /** Loads the module as an attempt does. Rejects with a coded error that names the file when no attempt could run. */
  check(asked: IsolatedCheck): Promise<void>;
  run(attempt: IsolatedAttempt): Promise<Outcome<unknown> | void>;
}
