/**
 * Moves jobs of another system that lives in the same PostgreSQL, a portion in one transaction: their rows are locked, so that
 * none of its workers takes them, written here as their contracts would enqueue them, and deleted there. Whoever is killed in
 * between has moved a portion or has not. What cannot move stays there, untouched, and is told.
 */
import type { JobContract } from '@duework/contracts';
import { DueworkError, type Act, type Transactable } from '@duework/queue-core';
import { writeRuns } from '@duework/queue-core/internals';
import type { NewRun } from '@duework/queue-core/ports';
import { insertDeadRuns, type DeadRun } from '@duework/shards';
import { inTransaction, type RawClient } from '@duework/sql';
import type { OldJob, OldSystem } from './old-system.js';
import { auditMove, chargeRuns, type Charged } from './sql/moved-runs.js';
import type { Stays } from './stays.js';
import { toNewRun } from './to-new-run.js';

export const PORTION = 500;
const PORTION_MS = 120_000;

export interface Moving {
  readonly db: Transactable;
  readonly system: OldSystem;
  readonly act: Act;
  /** Ends it between two transactions. */
  readonly signal: AbortSignal;
  /** Called after each transaction. */
  readonly onPortion: (moved: Moved) => void;
}

/** So many jobs of a name are here now. */
export interface Moved {
  readonly name: string;
  readonly waiting: number;
  readonly dead: number;
}

/** Moves what waits of a name, and what has failed. */
export async function moveJobs(moving: Moving, name: string, contract: JobContract, stays: Stays): Promise<Moved> {
  let [waiting, dead] = [0, 0];
  await eachPortion(moving.system, name, moving.signal, async (ids) => {
    const moved = await inTransaction(
      moving.db,
      async (tx) => movePortion(tx, moving, name, contract, ids),
      PORTION_MS,
    );
    for (const [job, why] of moved.stays) stays.add(name, why, job);
    waiting += moved.waiting;
    dead += moved.dead;
    moving.onPortion({ name, waiting, dead });
  });
  return { name, waiting, dead };
}

/** Calls `act` with the ids of each portion of a name, until there are no more or the signal aborts. */
export async function eachPortion(
  system: OldSystem,
  name: string,
  signal: AbortSignal,
  act: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let after: string | null = null; ;) {
    const page = await system.list(name, after);
    for (let from = 0; from < page.ids.length; from += PORTION) {
      if (signal.aborted) return;
      await act(page.ids.slice(from, from + PORTION));
    }
    after = page.after;
    if (after === null) return;
  }
}

interface MovedPortion {
  readonly waiting: number;
  readonly dead: number;
  readonly stays: readonly (readonly [job: string, why: string])[];
}

export interface Ready {
  readonly job: OldJob;
  readonly run: NewRun;
}

async function movePortion(
  tx: RawClient,
  { system, act }: Moving,
  name: string,
  contract: JobContract,
  ids: readonly string[],
): Promise<MovedPortion> {
  const jobs = await system.lock(tx, name, ids);
  const { ready, stays } = judge(system.name, contract, jobs);
  const [live, dead] = [ready.filter(({ job }) => !job.isFailed), ready.filter(({ job }) => job.isFailed)];
  const made =
    live.length === 0
      ? []
      : await writeRuns(
          tx,
          live.map(({ run }) => run),
        );
  const moved: Ready[] = [];
  const charged: Charged[] = [];
  for (const [at, one] of live.entries()) {
    const { id, isDeduplicated } = made[at]!;
    if (isDeduplicated) {
      stays.push([one.job.id, `its key is that of the job ${id} here`]);
      continue;
    }
    moved.push(one);
    charged.push(...chargedOf(one, id));
  }
  if (charged.length > 0) await chargeRuns(tx, charged);
  if (dead.length > 0) await insertDeadRuns(tx, dead.map(toDeadRun));
  const gone = [...moved, ...dead].map(({ job }) => job.id);
  if (gone.length > 0) {
    await system.remove(tx, gone);
    await auditMove(tx, 'move_here', { act, system: system.name, name, jobs: gone.length });
  }
  return { waiting: moved.length, dead: dead.length, stays };
}

/** The attempts that a job has behind it, for the run that it is now. */
export const chargedOf = ({ job: { attempts, failure }, run }: Ready, id: string): readonly Charged[] =>
  failure === null ? [] : [{ id, attempts: Math.min(attempts, run.maxAttempts - 1), ...failure }];

/** Which of them can be runs, and why the others cannot. */
export function judge(
  system: string,
  contract: JobContract,
  jobs: readonly OldJob[],
): { readonly ready: readonly Ready[]; readonly stays: [job: string, why: string][] } {
  const ready: Ready[] = [];
  const stays: [string, string][] = [];
  for (const job of jobs)
    if (job.stays !== null) stays.push([job.id, job.stays]);
    else
      try {
        ready.push({ job, run: toNewRun(system, contract, job) });
      } catch (error) {
        if (!(error instanceof DueworkError)) throw error;
        stays.push([job.id, explain(error)]);
      }
  return { ready, stays };
}

function explain(error: DueworkError): string {
  if (!DueworkError.is(error, 'invalid_payload')) return error.message;
  const issues = error.facts.issues.map(({ pointer, message }) => `${pointer || 'the payload'}: ${message}`);
  return `its contract refuses it: ${[...new Set(issues)].join('; ')}`;
}

export const toDeadRun = ({ job, run }: Ready): DeadRun => ({
  run,
  attempts: job.attempts,
  createdAt: job.createdAt,
  failedAt: job.failure?.at ?? job.createdAt,
  errorType: job.failure?.type ?? null,
  error: job.failure?.message ?? 'It failed.',
});
