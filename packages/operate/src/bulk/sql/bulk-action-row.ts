import { sql, type Sql } from '@duework/sql';

/** One row of `bulk_actions`, times as milliseconds since 1970. */
export interface BulkActionRow {
  readonly id: string;
  readonly verb: string;
  readonly filter: string;
  readonly jobType: string | null;
  readonly options: { readonly [name: string]: unknown };
  readonly undoOf: string | null;
  readonly status: 'running' | 'finished' | 'aborted';
  readonly by: string;
  readonly via: 'api' | 'command' | 'program';
  readonly from: string | null;
  readonly reason: string | null;
  readonly total: number;
  readonly totalIsAtLeast: boolean;
  readonly done: number;
  readonly refused: { readonly [code: string]: number };
  readonly stage: string;
  readonly afterId: string;
  readonly lastId: string;
  readonly perSecond: number;
  /** ISO 8601 with microseconds. */
  readonly began: string;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | null;
  /** How long the next step has to wait, 0 at the least. */
  readonly waitMs: number;
  readonly isUndone: boolean;
}

/** The SELECT list of one row of `a`, as the text of JSON. */
export const bulkActionAsJson: Sql = sql`json_build_object(
    'id', a.id::text, 'verb', a.verb, 'filter', a.filter, 'jobType', a.job_type, 'options', a.options, 'undoOf', a.undo_of::text,
    'status', a.status, 'by', a.by, 'via', a.via, 'from', a.from_address, 'reason', a.reason, 'total', a.total,
    'totalIsAtLeast', a.total_is_at_least, 'done', a.done, 'refused', a.refused, 'stage', a.stage, 'afterId', a.after_id::text,
    'lastId', a.last_id::text, 'perSecond', a.per_second,
    'began', to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'createdAtMs', extract(epoch FROM a.created_at) * 1000, 'finishedAtMs', extract(epoch FROM a.finished_at) * 1000,
    'waitMs', greatest(0, extract(epoch FROM a.next_step_at - now()) * 1000),
    'isUndone', EXISTS (SELECT FROM duework.bulk_actions AS u WHERE u.undo_of = a.id)
  )::text`;
