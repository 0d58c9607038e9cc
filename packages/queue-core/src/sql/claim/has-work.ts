import type { ClaimableContract } from '../../ports/runs.js';
import { activePauses } from './active-pauses.js';
import { isReadable, readableVersions } from './readable-versions.js';
import { queryRows, sql, type Queryable } from '../sql.js';

/**
 * Whether a worker of these queues and contracts has something to do now: due runs that it can read, runs that it holds
 * itself, and runs whose lease has expired. Runs of other workers, runs due later and runs that are paused don't count.
 */
export async function hasWork(
  db: Queryable,
  about: {
    readonly worker: string;
    readonly queues: readonly string[];
    readonly contracts: ReadonlyMap<string, ClaimableContract>;
  },
): Promise<boolean> {
  const { worker, queues, contracts } = about;
  const [row] = await queryRows<{ has_work: boolean }>(
    db,
    sql`
    SELECT EXISTS (
      SELECT FROM duework.job_runs AS j
      WHERE j.held_by IS NULL AND j.queue = ANY(${queues}::text[]) AND j.status IN ('queued', 'failed') AND j.run_at <= now()
        AND ${isReadable(readableVersions(contracts))}
        -- what is paused may wait for days, and a program that ends when nothing is left to do would wait with it
        AND j.queue <> ALL(ARRAY(SELECT name FROM ${activePauses} AS p WHERE kind = 'queue'))
        AND j.job_type <> ALL(ARRAY(SELECT name FROM ${activePauses} AS p WHERE kind = 'type'))
    ) OR EXISTS (
      SELECT FROM duework.running_runs
      WHERE (locked_by = ${worker}::text OR locked_until < now()) AND job_type = ANY(${[...contracts.keys()]}::text[])
    ) AS has_work
  `,
  );
  return row!.has_work;
}
