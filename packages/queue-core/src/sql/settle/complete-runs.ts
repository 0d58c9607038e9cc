import type { GatesSettled } from '../flow/note-gates.js';
import type { Completion, Taker } from '../../ports/runs.js';
import { copiedColumns, historyColumns, insertAttempts, isLate, passGates, passGatesTo } from '../fragments.js';
import { readTaken } from '../claim/claim-runs.js';
import { empty, ownTransaction, queryRows, sql, toArray, type Queryable, type Sql } from '@duework/sql';

/**
 * Moves succeeded runs to the history, each only while its fence is still the row's. Returns the ids that were settled;
 * one that is missing was lost: its lease passed to another worker, and nothing of it was written.
 *
 * Arrays go in, ids come back (as one text) only where some are missing, and nothing is joined: every run passes
 * through this statement, and it has one plan whatever the statistics say.
 *
 * What has gates passes them on in the same statement; in a transaction of the caller's, which may stay open and must
 * lock no gate, it asks for a look at them instead, which is seen when that commits, and tells breakers of the success. Throws `not_in_transaction` where it is not open any more.
 *
 * The `taker` gets those who are let in, as far as it can take them.
 */
export async function completeRuns(
  db: Queryable,
  batch: readonly Completion[],
  gates: GatesSettled = null,
  isInTransaction = false,
  taker?: Taker,
): Promise<string[]> {
  const ids = batch.map(({ id }) => id);
  const [row] = await queryRows<Row>(
    db,
    sql`
    WITH r AS (
      DELETE FROM duework.job_runs AS j
      WHERE j.id = ANY(${`{${ids.join(',')}}`}::text::bigint[])
        -- a row has a lease exactly while it is running; a condition on its status would invite a scan of all running rows
        AND j.locked_by IS NOT NULL
        AND ${hasFenceOf(batch)}${
          isInTransaction
            ? sql`
        AND (SELECT duework.require_transaction(${ownTransaction}::text))`
            : empty
        }
      RETURNING j.*
    ),
    newest AS (SELECT max(id) AS id, array_agg(id ORDER BY id) AS ids FROM r GROUP BY job_type),
    recorded AS (
      INSERT INTO duework.job_history (${historyColumns}, is_newest, is_late, ended_in, ended_with)
      SELECT ${copiedColumns}, 'succeeded', r.failed_at, r.error_code, r.error_type, r.last_error,
        r.cancel_requested_at, r.cancel_requested_by, r.cancel_reason, ${resultOf(batch)},
        ${isNewest},
        ${isLate(sql`r.id`)},
        CASE WHEN ${isNewest} THEN pg_current_xact_id() END,
        ${batch.length === 1 ? sql`NULL::bigint[]` : sql`(SELECT n.ids FROM newest AS n WHERE n.id = r.id)`}
      FROM r
    )${keepLogs(batch)}${gates === null ? empty : isInTransaction ? askedToLook : sql`, ${taker === undefined ? passGates(gates.notes, sql`r`) : passGatesTo(taker, gates.notes, sql`r`)}`}
    SELECT count(*) = ${batch.length}::integer AS are_all_settled,
      CASE WHEN count(*) < ${batch.length}::integer THEN (SELECT array_to_json(array_agg(id))::text FROM r) END AS settled${
        gates === null || isInTransaction
          ? empty
          : taker === undefined
            ? sql`, (SELECT cardinality(runs) FROM passed) AS passed`
            : sql`, (SELECT (p.took).taken FROM passed AS p) AS taken, (SELECT (p.took).is_all FROM passed AS p) AS is_all`
      }
    FROM r
  `,
  );
  const { taken = null, is_all: isAll = null } = row!;
  if (isAll !== null) taker?.take(taken === null ? [] : readTaken(taken), isAll);
  if (row!.are_all_settled) return ids;
  return row!.settled === null ? [] : (JSON.parse(row!.settled) as number[]).map(String);
}

interface Row {
  readonly are_all_settled: boolean;
  readonly settled: string | null;
  readonly taken?: string | null;
  readonly is_all?: boolean | null;
}

/** An attempt that has succeeded is on record only where its contract says so. */
function keepLogs(batch: readonly Completion[]): Sql {
  const told = batch.filter(({ logs }) => logs !== undefined);
  if (told.length === 0) return empty;
  return sql`,
    attempted AS (
      ${insertAttempts(sql`r`, sql`l.value`)},
        'succeeded', NULL, NULL, NULL, NULL, NULL, NULL
      FROM r
      JOIN json_each_text(${JSON.stringify(Object.fromEntries(told.map(({ id, logs }) => [id, logs])))}::text::json) AS l ON l.key = r.id::text
    )`;
}

/** One of each type stands for all of it that are settled together. */
const isNewest = sql`r.id = ANY(ARRAY(SELECT id FROM newest))`;

const askedToLook = sql`,
    asked AS (
      INSERT INTO duework.flow_looks (at, key, has_succeeded)
      SELECT now(), g.gate, CASE WHEN g.gate LIKE 'breaker/%' THEN true END
      FROM r CROSS JOIN LATERAL unnest(r.gates) AS g (gate)
    )`;

/**
 * Whether row `j` has its fence of the batch. Nearly always all fences are equal; to look up each run's own costs as
 * much as the rest of the condition.
 */
function hasFenceOf(batch: readonly Completion[]): Sql {
  const first = batch[0]?.fence ?? 0;
  if (batch.every(({ fence }) => fence === first)) return sql`j.fence = ${first}::bigint`;
  return sql`((j.id, j.fence) IN (
          SELECT * FROM unnest(${toArray(batch.map(({ id }) => id))}::text::bigint[], ${toArray(batch.map(({ fence }) => fence))}::text::bigint[])
        )) IS TRUE`;
}

/** The result of row `r`, looked up by id; most jobs return none. */
function resultOf(batch: readonly Completion[]): Sql {
  const told = batch.filter(({ result }) => result !== null);
  if (told.length === 0) return sql`NULL::jsonb`;
  return sql`(SELECT ${JSON.stringify(Object.fromEntries(told.map(({ id, result }) => [id, result])))}::text::jsonb) -> r.id::text`;
}
