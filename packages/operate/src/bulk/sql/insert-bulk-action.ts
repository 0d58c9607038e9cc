import type { Act, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql } from '@duework/sql';
import type { BulkCount } from './count-verdicts.js';

export interface NewBulkAction {
  readonly verb: string;
  readonly filter: string;
  /** As the audit keeps it: without values that were asked for. */
  readonly auditedFilter: string;
  readonly jobType: string | null;
  readonly options: object;
  /** Of those, what the audit keeps. */
  readonly auditedOptions: object;
  readonly undoOf: string | null;
  readonly total: BulkCount;
  readonly stage: string;
  readonly perSecond: number;
}

/** Writes an action, which begins at once, and its audit entry; returns its id, or null where the undo of one is there. */
export async function insertBulkAction(db: Queryable, action: NewBulkAction, act: Act): Promise<string | null> {
  const [row] = await queryRows<{ id: string }>(
    db,
    sql`
    WITH made AS (
      INSERT INTO duework.bulk_actions (
        verb, filter, job_type, options, undo_of, by, via, from_address, reason, total, total_is_at_least, stage, last_id, per_second
      )
      SELECT ${action.verb}::text, ${action.filter}::text, ${action.jobType}::text, ${JSON.stringify(action.options)}::text::jsonb,
        ${action.undoOf}::bigint, ${act.by ?? 'program'}::text, ${act.via ?? 'program'}::text, ${act.from ?? null}::text,
        ${act.reason ?? null}::text, ${action.total.count}::bigint, ${action.total.isAtLeast}::boolean, ${action.stage}::text,
        coalesce(greatest(
          (SELECT max(id) FROM duework.job_runs), (SELECT max(id) FROM duework.job_history_dead),
          (SELECT max(id) FROM duework.job_history_cancelled)
        ), 0),
        ${action.perSecond}::integer
      ON CONFLICT (undo_of) WHERE undo_of IS NOT NULL DO NOTHING
      RETURNING id
    ),
    audited AS (
      ${insertAudit(act, {
        verb: action.undoOf === null ? 'start_bulk_action' : 'undo_bulk_action',
        kind: 'bulk_action',
        target: sql`m.id::text`,
        before: sql`NULL::jsonb`,
        after: sql`jsonb_strip_nulls(jsonb_build_object(
          'verb', ${action.verb}::text, 'filter', nullif(${action.auditedFilter}::text, ''),
          'options', ${JSON.stringify(action.auditedOptions)}::text::jsonb, 'jobs', ${action.total.count}::bigint, 'undoOf', ${action.undoOf}::text
        ))`,
        from: sql`made AS m`,
      })}
    )
    SELECT id::text AS id FROM made
  `,
  );
  return row?.id ?? null;
}
