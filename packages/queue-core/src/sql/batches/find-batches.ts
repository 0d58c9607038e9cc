import { DueworkError } from '@duework/sql/errors';
import { queryRows, sql, type Queryable, type Sql } from '@duework/sql';
import type { Batch, BatchPage } from '../../ports/batches.js';

type BatchJson = Omit<Batch, 'createdAt' | 'settledAt' | 'open'> & {
  readonly createdAt: number;
  readonly settledAt: number | null;
};

/** A batch as it stands: what is added up, and what is not yet, in one snapshot. */
const batchAsJson: Sql = sql`json_build_object('id', b.id, 'name', b.name, 'jobs', b.jobs + c.jobs,
      'succeeded', b.succeeded + c.succeeded, 'dead', b.dead + c.dead, 'cancelled', b.cancelled + c.cancelled,
      'createdAt', trunc(extract(epoch FROM b.created_at) * 1000), 'settledAt', trunc(extract(epoch FROM b.settled_at) * 1000),
      'callbacks', json_build_object('onSettled', b.enqueued ->> 'onSettled', 'onSucceeded', b.enqueued ->> 'onSucceeded',
        'onFirstDead', b.enqueued ->> 'onFirstDead'),
      'planned', (SELECT coalesce(json_agg(k.name ORDER BY k.name COLLATE "C"), '[]') FROM jsonb_array_elements_text(b.planned) AS k (name)))::text AS json
    FROM duework.job_batches AS b
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(x.jobs), 0) AS jobs, coalesce(sum(x.succeeded), 0) AS succeeded, coalesce(sum(x.dead), 0) AS dead,
        coalesce(sum(x.cancelled), 0) AS cancelled
      FROM duework.job_batch_changes AS x WHERE x.batch_id = b.id
    ) AS c`;

/** null: there is none. */
export async function findBatch(db: Queryable, id: string): Promise<Batch | null> {
  const [row] = await queryRows<{ json: string }>(db, sql`SELECT ${batchAsJson} WHERE b.id = ${id}::text`);
  return row === undefined ? null : toBatch(row.json);
}

/** Batches, newest first; a cursor is the moment and the id of the last one. Throws `invalid_cursor`. */
export async function listBatches(
  db: Queryable,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<BatchPage> {
  const [micros, id] = cursor === undefined ? [null, null] : readCursor(cursor);
  const rows = await queryRows<{ json: string; at: string }>(
    db,
    sql`SELECT (extract(epoch FROM b.created_at) * 1000000)::bigint::text AS at, ${batchAsJson}
    WHERE ${micros}::text IS NULL
      OR (b.created_at, b.id) < (timestamptz 'epoch' + ${micros}::text::bigint * interval '1 microsecond', ${id}::text)
    ORDER BY b.created_at DESC, b.id DESC LIMIT ${limit + 1}::integer`,
  );
  const batches = rows.slice(0, limit).map(({ json }) => toBatch(json));
  const last = rows[limit - 1];
  return { batches, nextCursor: rows.length > limit ? `${last!.at}.${batches.at(-1)!.id}` : null };
}

function readCursor(cursor: string): [micros: string, id: string] {
  const [, micros, id] = /^(\d{1,18})\.([\w-]{1,64})$/.exec(cursor) ?? [];
  if (micros === undefined) throw new DueworkError('invalid_cursor', { cursor });
  return [micros, id!];
}

function toBatch(json: string): Batch {
  const row = JSON.parse(json) as BatchJson;
  const { jobs, succeeded, dead, cancelled, createdAt, settledAt } = row;
  return {
    ...row,
    open: jobs - succeeded - dead - cancelled,
    createdAt: new Date(createdAt),
    settledAt: settledAt === null ? null : new Date(settledAt),
  };
}
