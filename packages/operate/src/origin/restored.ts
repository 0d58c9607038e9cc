import { type Act, DueworkError, type Queryable, readNow } from '@duework/queue-core';
import { checkAct, rescueRuns } from '@duework/queue-core/internals';
import { queryRows, sql } from '@duework/sql';
import type { BulkAction } from '../bulk/bulk-action.js';
import { getBulkAction } from '../bulk/get-bulk-action.js';
import { startBulkAction } from '../bulk/start-bulk-action.js';
import { stepBulkActions } from '../bulk/step-bulk-actions.js';
import { moveOrigin } from './origin.js';

/** What of a restored database may have happened after the backup. */
export interface MaybeDone {
  /** Jobs that have come due since, or ran, by type, the most first. */
  readonly types: readonly { readonly type: string; readonly jobs: number }[];
  /** The keys of schedules that have due times since. */
  readonly schedules: readonly string[];
  /** Workers that are at work here now. */
  readonly workers: readonly string[];
}

/** What `holdMaybeDone` would hold back; it counts all live jobs. */
export async function readMaybeDone(db: Queryable): Promise<MaybeDone> {
  const [row] = await queryRows<MaybeDone>(
    db,
    sql`
    SELECT
      coalesce((SELECT json_agg(json_build_object('type', t.type, 'jobs', t.jobs) ORDER BY t.jobs DESC, t.type) FROM (
        SELECT j.job_type AS type, count(*) AS jobs FROM duework.job_runs AS j WHERE j.run_at < now() OR j.status = 'running' GROUP BY 1
      ) AS t), '[]') AS types,
      ARRAY(SELECT s.key FROM duework.schedules AS s WHERE NOT s.is_paused AND s.next_due_at <= now() ORDER BY s.key) AS schedules,
      ARRAY(SELECT w.name FROM duework.workers AS w EXCEPT SELECT l.name FROM duework.lost_workers AS l ORDER BY 1) AS workers`,
  );
  return row!;
}

export interface HeldBack {
  /** The bulk action that has put off what may have run, to be found by its filter; null: there was none. */
  readonly action: BulkAction | null;
  /** How many schedules were paused. */
  readonly schedules: number;
}

const YEAR_MS = 365 * 86_400_000;

/**
 * Holds back what may have run after the backup from which this database was restored, and lets workers start. Runs of
 * workers that are gone are given back; all jobs that are due are put off by ten years, by a bulk action; schedules that
 * have due times since are paused. It may be called again where it was interrupted.
 *
 * @throws DueworkError `invalid_option`: workers are at work here; `bulk_action_refused`
 */
export async function holdMaybeDone(db: Queryable, act: Act = {}): Promise<HeldBack> {
  checkAct(act);
  const { workers } = await readMaybeDone(db);
  if (workers.length > 0)
    throw new DueworkError('invalid_option', {
      option: 'workers',
      expected: 'no worker that is at work: stop them first',
      value: workers.join(', '),
    });
  const { by = 'program', via = 'program', reason = null } = act;
  const [ready] = await queryRows<{ schedules: number }>(
    db,
    sql`SELECT r.schedules::integer AS schedules FROM duework.ready_restored(${by}::text, ${via}::text, ${reason}::text) AS r`,
  );
  // whoever had them is gone
  await queryRows(
    db,
    sql`UPDATE duework.job_runs SET locked_until = '-infinity'
    WHERE id = ANY(ARRAY(SELECT id FROM duework.running_runs)) AND status = 'running' RETURNING 1`,
  );
  while ((await rescueRuns(db, 500)).length > 0);
  const action = await putOff(db, act);
  await moveOrigin(db, act);
  return { action, schedules: ready!.schedules };
}

async function putOff(db: Queryable, act: Act): Promise<BulkAction | null> {
  const now = await readNow(db);
  const [due] = await queryRows<{ any: boolean }>(
    db,
    sql`SELECT EXISTS (SELECT FROM duework.job_runs WHERE run_at < now()) AS any`,
  );
  if (!due!.any) return null;
  const { id } = await startBulkAction(
    db,
    [],
    {
      verb: 'reschedule',
      filter: 'status:queued,failed',
      runAt: new Date(now + 10 * YEAR_MS),
      // what was given back just now is due now
      dueBefore: new Date(now + 1),
      perSecond: 100_000,
    },
    { ...act, reason: act.reason ?? 'Restored from a backup: these may have run' },
  );
  await stepBulkActions(db, [], new AbortController().signal);
  return getBulkAction(db, id);
}
