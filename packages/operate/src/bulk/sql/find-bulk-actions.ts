import type { Queryable } from '@duework/queue-core';
import { empty, queryRows, sql, type Sql, toArray } from '@duework/sql';
import { bulkActionAsJson, type BulkActionRow } from './bulk-action-row.js';

async function find(db: Queryable, rest: Sql): Promise<BulkActionRow[]> {
  const rows = await queryRows<{ action: string }>(
    db,
    sql`SELECT ${bulkActionAsJson} AS action FROM duework.bulk_actions AS a ${rest}`,
  );
  return rows.map(({ action }) => JSON.parse(action) as BulkActionRow);
}

export async function findBulkAction(db: Queryable, id: string): Promise<BulkActionRow | null> {
  return (await find(db, sql`WHERE a.id = ${id}::bigint`))[0] ?? null;
}

/** Newest first; only those older than `beforeId`, where it is given. */
export function listBulkActionRows(
  db: Queryable,
  { beforeId, limit }: { beforeId?: string | undefined; limit: number },
): Promise<BulkActionRow[]> {
  const older = beforeId === undefined ? empty : sql`WHERE a.id < ${beforeId}::bigint`;
  return find(db, sql`${older} ORDER BY a.id DESC LIMIT ${limit}::integer`);
}

/**
 * The running action whose next step is due first, among those that a process can step which has contracts of `types` and, where
 * `hasKeys`, a key ring; null: none.
 */
export async function findNextStep(
  db: Queryable,
  types: readonly string[],
  hasKeys: boolean,
): Promise<BulkActionRow | null> {
  const rows = await find(
    db,
    sql`WHERE a.status = 'running' AND (a.job_type IS NULL OR a.job_type = ANY(${toArray(types)}::text::text[]))
      AND (${hasKeys}::boolean OR NOT jsonb_exists(a.options, 'keyId'))
      ORDER BY a.next_step_at, a.id LIMIT 1`,
  );
  return rows[0] ?? null;
}
