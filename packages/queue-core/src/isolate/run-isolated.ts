import type { Clock } from '../clock.js';
import type { JobContext } from '../handler.js';
import type { Outcome } from '../outcome.js';
import type { IsolatedHandler } from './isolated.js';

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

export async function runIsolated(_: IsolatedRun): Promise<Outcome | void> {
  throw new Error('not written yet');
}
