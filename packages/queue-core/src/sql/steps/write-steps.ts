import { empty, ownTransaction, queryRows, sql, type Queryable } from '@duework/sql';
import type { NewStep, StepAnswer } from '../../ports/steps.js';
import { inputOf, stillOurs } from '../fragments.js';

/**
 * Writes steps that have ended, each only while its claim owns the run. The rows of runs are not locked: a claim that
 * loses its run in this very moment may still write what it has done, and the first row of a name stays. In a transaction of the
 * caller's throws `not_in_transaction` where it is not open any more.
 */
export async function writeSteps(
  db: Queryable,
  batch: readonly NewStep[],
  isInTransaction = false,
): Promise<StepAnswer[]> {
  const placed = batch.map((step, place) => ({ ...step, place }));
  const rows = await queryRows<{ place: number; answer: StepAnswer }>(
    db,
    sql`
    WITH ${inputOf(
      placed,
      sql`, place integer, name text, status text, "askedSeq" integer, "doneSeq" integer, open text[], result jsonb, error jsonb, "tookMs" float8`,
    )},
    owned AS MATERIALIZED (
      SELECT i.*, j.job_type FROM duework.job_runs AS j JOIN input AS i ON i.id = j.id AND i.fence = j.fence WHERE ${stillOurs}
        ${isInTransaction ? sql`AND (SELECT duework.require_transaction(${ownTransaction}::text))` : empty}
    ),
    written AS (
      INSERT INTO duework.job_steps (run_id, name, job_type, status, asked_seq, done_seq, open, result, error, fence, began_at)
      SELECT id, name, job_type, status, "askedSeq", "doneSeq", open, result, error, fence,
        now() - coalesce("tookMs", 0) * interval '1 millisecond'
      FROM owned
      -- in one order by everybody, so that two batches cannot deadlock
      ORDER BY id, name
      ON CONFLICT (run_id, name) DO NOTHING
      RETURNING run_id, name
    )
    SELECT i.place, CASE
        WHEN w.name IS NOT NULL THEN 'written'
        WHEN EXISTS (SELECT FROM owned AS o WHERE o.place = i.place) THEN 'kept'
        ELSE 'lost'
      END AS answer
    FROM input AS i LEFT JOIN written AS w ON w.run_id = i.id AND w.name = i.name
    ORDER BY i.place
  `,
  );
  return rows.map(({ answer }) => answer);
}
