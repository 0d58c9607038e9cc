import type { Duration } from '@duework/contracts';
import type { RunWorkerOptions } from '@duework/worker';
import { PlainError } from '../plain-error.js';
import type { JobsModule } from '../project/jobs-module.js';

type AnyOptions = RunWorkerOptions<JobsModule['catalog']>;

export interface StartOptions extends Pick<AnyOptions, 'databaseUrl' | 'shard' | 'log' | 'onEvent' | 'signal'> {
  readonly once?: true | { readonly maxRuntime: string };
}

/**
 * Runs a worker with what the module of jobs exports, in this process, which is the worker's own from now on. Resolves
 * with the exit code when it has stopped.
 *
 * @throws PlainError `jobs_module_incomplete`: the module has no handlers
 */
export async function startWorker(jobs: JobsModule, { once, ...options }: StartOptions): Promise<number> {
  const { file, catalog, handlers, backoffs, middleware, schedules, schedulesVersion } = jobs;
  if (typeof handlers !== 'object' || handlers === null)
    throw new PlainError(
      'jobs_module_incomplete',
      `${file} exports no handlers. Add: export const handlers: Handlers<typeof catalog> = { … };`,
    );
  // no other command needs the engine
  const { runWorker } = await import('@duework/worker');
  return runWorker({
    catalog,
    handlers: handlers as AnyOptions['handlers'],
    ...given<AnyOptions, 'backoffs'>('backoffs', backoffs),
    ...given<AnyOptions, 'middleware'>('middleware', middleware),
    ...given<AnyOptions, 'schedules'>('schedules', schedules),
    ...given<AnyOptions, 'schedulesVersion'>('schedulesVersion', schedulesVersion),
    ...(once === undefined ? {} : { once: once === true ? true : { maxRuntime: once.maxRuntime as Duration } }),
    ...options,
    argv: [],
  });
}

/** An option that was exported; the worker itself says what is wrong with it. */
const given = <T, K extends keyof T>(key: K, value: unknown): Partial<Pick<T, K>> =>
  (value === undefined ? {} : { [key]: value }) as Partial<Pick<T, K>>;
