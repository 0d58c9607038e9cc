import type { Clock } from './clock.js';
import type { JobContext } from './job-context.js';
import type { Outcome } from './outcome.js';

/** One attempt, as the engine hands it to whoever runs it apart from the worker. */
export interface IsolatedAttempt {
  readonly context: JobContext;
  readonly memoryMb: number;
  /** How long the handler may ignore its signal before it is killed. */
  readonly graceMs: number;
  readonly clock: Clock;
}

/**
 * A handler that runs apart from the worker's thread; `@duework/isolation` makes it. The engine knows no more of it than
 * this: it resolves or rejects as a handler does, and it rejects with a `HandlerKilledError` when it had to kill.
 */
export interface IsolatedHandler {
  readonly kind: 'isolated';
  readonly module: URL;
  run(attempt: IsolatedAttempt): Promise<Outcome | void>;
}
