import type { Collect, JobContract, PayloadInput } from '@duework/contracts';
import {
  type CollectHandler,
  DueworkError,
  type Handler,
  type Handlers,
  type IsolatedHandler,
  type Json,
  type Middleware,
} from '@duework/queue-core';
import { createMemoryQueue } from '../memory/create-memory-queue.js';
import { startTestWorker } from '../start-test-worker.js';
import { oneAtATime } from './one-at-a-time.js';
import { observeAttempt } from './observe-attempt.js';
import type { PerformedJob } from './performed-job.js';

/** One handler, or a map that has it. */
export type PerformedBy<C extends JobContract> =
  | Performing<C>
  | IsolatedHandler
  | { readonly [TType in C['type']]: Performing<C> | IsolatedHandler };

type Performing<C extends JobContract> = C extends { collect: Collect } ? CollectHandler<C> : Handler<C>;

export interface PerformJobOptions<TVersion extends number | undefined = number | undefined> {
  /** Which attempt this is; default 1. The contract's last one is not retried. */
  readonly attempt?: number;
  /** The version with which the payload was stored; default: today's. */
  readonly version?: TVersion;
  /** As the worker has it. */
  readonly middleware?: Middleware;
}

/**
 * Runs one attempt of one job as a worker does, without a database: the payload is parsed, and lifted if it is of an
 * earlier `version`; the handler runs under its time limit; the contract judges its outcome or error. A handler that
 * collects gets a call with this job alone. `once` does its effects, and `completeIn(tx)` writes nothing.
 *
 * Throws what `enqueue` throws for the payload, and `unknown_job_version`.
 */
export async function performJob<C extends JobContract, TVersion extends number | undefined = undefined>(
  contract: C,
  payload: TVersion extends number ? Json : PayloadInput<C>,
  handler: PerformedBy<C>,
  { attempt = 1, version, middleware }: PerformJobOptions<TVersion> = {},
): Promise<PerformedJob> {
  const queue = createMemoryQueue();
  const { id } = await queue.enqueue(asOf(contract, version), payload);
  const { store, ended } = observeAttempt(queue.store, id, attempt);
  const { worker } = await startTestWorker<readonly [JobContract]>(
    { store },
    {
      catalog: [oneAtATime(contract)],
      handlers: { [contract.type]: handlerOf(contract, handler) } as Handlers<readonly [JobContract]>,
      ...(middleware === undefined ? {} : { middleware }),
    },
  );
  try {
    return await ended;
  } finally {
    await worker.stop({ deadlineMs: 0 });
  }
}

/** The contract as it was at an earlier version. Its key was computed from another shape, so there is none. */
function asOf(contract: JobContract, version: number | undefined): JobContract {
  if (version === undefined || version === contract.version) return contract;
  const past = contract.past.get(version);
  if (past === undefined) {
    const { type, oldestVersion, version: newestVersion } = contract;
    throw new DueworkError('unknown_job_version', { type, version, oldestVersion, newestVersion });
  }
  return { ...contract, version, payload: past.payload, defaultPayload: undefined, past: new Map(), keyOf: null };
}

function handlerOf<C extends JobContract>(contract: C, handler: PerformedBy<C>): unknown {
  const isOne = typeof handler === 'function' || typeof (handler as Partial<IsolatedHandler>).run === 'function';
  return isOne ? handler : (handler as Readonly<Record<string, unknown>>)[contract.type];
}
