import {
  copiedColumns,
  inputOf,
  insertAttempts,
  insertHistory,
  keptColumns,
  lockedInput,
  passGates,
} from '../fragments.js';
import { empty, queryRows, sql, type Queryable, type Sql } from '@duework/sql';

/** What a verb that gives runs back writes on their rows and in the history of attempts. */
export interface Requeue {
  /** Columns of `input` beside id and fence. */
  readonly columns: Sql;
  /** The SET list without the lease, which every verb clears; `i` is the input, `j` the row. */
  readonly set: Sql;
  /** Which runs end as dead instead (`o` is the row), and why; not given: none. */
  readonly bury?: { readonly when: Sql; readonly code: string; readonly type: string; readonly message: string };
  /** The SELECT list from `outcome` on, or null where the verb leaves no attempt; `i` is the input, `o` the row. */
  readonly attempt: Sql | null;
  /** What the attempt has logged, from the same; not given: nothing is kept. */
  readonly logs?: Sql;
  /** One more CTE, from `owned` and `input`, with a comma before it. */
  readonly also?: Sql;
  /**
   * What runs with gates do: `pass` them on and stand in line again, or `keep` them, because they are due at once. Not
   * given: none has gates.
   */
  readonly gates?: { readonly how: 'pass' | 'keep'; readonly notes: string | null } | undefined;
}

export interface Requeued {
  readonly id: string;
  readonly status: 'queued' | 'failed' | 'dead' | 'cancelled';
}

/**
 * Gives runs back to the queue, each only while its fence is still the row's. A run that somebody asked to cancel
 * meanwhile ends as cancelled instead, and one that `bury` selects as dead. Returns what became of each; one that is
 * missing was lost.
 */
export function requeueOwned(
  db: Queryable,
  batch: readonly object[],
  { columns, set, attempt, logs, bury, also = empty, gates }: Requeue,
): Promise<Requeued[]> {
  return queryRows(
    db,
    sql`
    WITH ${inputOf(batch, columns)},
    ${lockedInput},
    ended AS MATERIALIZED (
      SELECT o.id, o.cancel_requested_at IS NOT NULL AS is_cancelled
      FROM owned AS o JOIN input AS i ON i.id = o.id
      WHERE o.cancel_requested_at IS NOT NULL OR ${bury?.when ?? sql`false`}
    ),
    requeued AS (
      UPDATE duework.job_runs AS j
      SET ${set}, locked_by = NULL, locked_until = NULL${
        gates?.how === 'pass' ? sql`, held_by = duework.gate_to_retry(j.gates)` : empty
      }
      FROM input AS i
      WHERE j.id = ANY(ARRAY(SELECT id FROM owned WHERE id NOT IN (SELECT id FROM ended))) AND i.id = j.id
      -- wakes sleeping workers, so that they learn when the run is due
      RETURNING j.id, j.status, duework.notify('duework_wake', j.queue)::text AS told${gates === undefined ? empty : sql`, j.gates`}
    ),
    r AS (
      DELETE FROM duework.job_runs AS j
      WHERE j.id = ANY(ARRAY(SELECT id FROM ended))
      RETURNING j.*
    ),
    recorded AS (
      ${insertHistory}
      SELECT ${copiedColumns}, 'cancelled', ${keptColumns} FROM r WHERE r.cancel_requested_at IS NOT NULL
    ),
    stopped AS (
      ${insertAttempts(sql`r`)},
        'cancelled', NULL, NULL, r.cancel_reason, NULL, NULL, NULL
      FROM r WHERE r.cancel_requested_at IS NOT NULL
    )${bury === undefined ? empty : sql`, ${buried(bury, gates !== undefined)}`}${
      attempt === null
        ? empty
        : sql`,
    attempted AS (
      ${insertAttempts(sql`o`, logs)},
        ${attempt}
      FROM owned AS o JOIN input AS i ON i.id = o.id
      WHERE o.id NOT IN (SELECT id FROM ended)
    )`
    }${also}${gates === undefined ? empty : passed(gates.notes, bury !== undefined)}
    SELECT id::text AS id, status FROM requeued${gates === undefined ? empty : sql` WHERE (SELECT told FROM looked) IS NOT NULL`}
    UNION ALL
    SELECT id::text, CASE WHEN is_cancelled THEN 'cancelled' ELSE 'dead' END FROM ended
  `,
  );
}

/** Whoever is to be tried again stands in line before others are let in, so that nobody overtakes it there. */
const passed = (notes: string | null, buries: boolean): Sql => sql`,
    lined AS MATERIALIZED (
      SELECT duework.line_up(ARRAY(SELECT id FROM requeued))::text AS told
    ),
    ended_or_lined AS MATERIALIZED (
      SELECT gates FROM requeued WHERE (SELECT told FROM lined) IS NOT NULL UNION ALL SELECT gates FROM r${
        // a dead run may keep its order, and what nobody reads is written last
        buries ? sql` WHERE (SELECT count(*) FROM dead) >= 0` : empty
      }
    ),
    ${passGates(notes, sql`ended_or_lined`)},
    looked AS MATERIALIZED (SELECT cardinality(runs)::text AS told FROM passed)`;

const buried = ({ code, type, message }: NonNullable<Requeue['bury']>, isRead: boolean): Sql => sql`
    dead AS (
      ${insertHistory}
      SELECT ${copiedColumns}, 'dead', now(), ${code}::text, ${type}::text, ${message}::text, NULL, NULL, NULL, NULL::jsonb
      FROM r WHERE r.cancel_requested_at IS NULL${isRead ? sql` RETURNING 1` : empty}
    ),
    failed AS (
      ${insertAttempts(sql`r`)},
        'failed', ${code}::text, ${type}::text, ${message}::text,
        NULL, NULL, NULL
      FROM r WHERE r.cancel_requested_at IS NULL
    )`;
