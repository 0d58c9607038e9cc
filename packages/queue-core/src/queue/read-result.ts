import { parseDuration, parseValue, type Duration, type JobContract, type ResultOutput } from '@duework/contracts';
import { pause, type Clock } from '../clock.js';
import { DueworkError } from '@duework/sql/errors';
import { readOffloaded } from '../objects/read-offloaded.js';
import type { Job } from './job.js';

export interface ResultOptions {
  /** For how long to wait until the job has finished; default: not at all. */
  readonly wait?: Duration;
  /** Ends the wait, and throws its reason. */
  readonly signal?: AbortSignal;
}

/**
 * How often a job that is waited for is looked at: soon at first, then every second, at moments that all who wait in this
 * process have in common, so that their looks share a statement.
 */
const FIRST_LOOK_MS = 20;
const LAST_LOOK_MS = 1_000;

/**
 * The result of a job that has succeeded, parsed by its contract. Looks at the job through `find` until it has finished, as
 * long as it may wait. Throws `job_not_found`, `invalid_job_id`, `wrong_job_type`, `job_not_finished`, `job_failed` (it is dead
 * or cancelled) and `invalid_result` (it was kept by a handler of another version).
 */
export async function readResult<C extends JobContract>(
  contract: C,
  find: () => Promise<{ readonly job: Job }>,
  { wait, signal }: ResultOptions,
  clock: Clock,
): Promise<ResultOutput<C>> {
  const waitMs = wait === undefined ? 0 : parseDuration(wait);
  const startedMs = clock.monotonicMs();
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(2 * lookMs, LAST_LOOK_MS)) {
    signal?.throwIfAborted();
    const { job } = await find();
    if (job.type !== contract.type)
      throw new DueworkError('wrong_job_type', { id: job.id, type: job.type, expected: contract.type });
    if (job.finishedAt !== null)
      return parseResult(contract, { ...job, result: await readOffloaded(job.result, signal) });
    const leftMs = waitMs - (clock.monotonicMs() - startedMs);
    if (leftMs <= 0) throw new DueworkError('job_not_finished', { id: job.id, status: job.status });
    await pause(clock, Math.min(lookMs - (clock.monotonicMs() % lookMs), leftMs), signal);
  }
}

function parseResult<C extends JobContract>(contract: C, { id, status, result, ...job }: Job): ResultOutput<C> {
  if (status !== 'succeeded')
    throw new DueworkError('job_failed', { id, status, reason: job.lastError ?? job.cancelReason });
  const parsed = parseValue(contract.result, result);
  if (!parsed.success) throw new DueworkError('invalid_result', { id, type: contract.type, issues: parsed.issues });
  return parsed.data as ResultOutput<C>;
}
