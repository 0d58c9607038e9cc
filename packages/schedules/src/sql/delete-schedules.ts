import { type Queryable } from '@duework/queue-core';
import { queryRows, sql, toArray } from '@duework/queue-core/internals';

/** Deletes one schedule; its ledger stays, and its waiting slots are skipped. false: no schedule has that key. */
export async function deleteSchedule(db: Queryable, key: string): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`
    WITH gone AS (DELETE FROM duework.schedules WHERE key = ${key}::text RETURNING id),
    dropped AS (
      UPDATE duework.schedule_slots SET outcome = 'skipped', reason = 'deleted', decided_at = now()
      WHERE schedule_id IN (SELECT id FROM gone) AND outcome = 'waiting'
    )
    SELECT id::text AS id FROM gone
  `,
  );
  return rows.length === 1;
}

/**
 * Deletes the schedules that code declared and that are not in `keys`, the ones it declares now. Returns the deleted
 * keys.
 */
export async function deleteVanishedSchedules(db: Queryable, keys: readonly string[]): Promise<string[]> {
  const rows = await queryRows<{ key: string }>(
    db,
    sql`
    WITH gone AS (
      DELETE FROM duework.schedules
      WHERE source = 'code' AND key <> ALL(${toArray(keys)}::text::text[])
      RETURNING id, key
    ),
    dropped AS (
      UPDATE duework.schedule_slots SET outcome = 'skipped', reason = 'deleted', decided_at = now()
      WHERE schedule_id IN (SELECT id FROM gone) AND outcome = 'waiting'
    )
    SELECT key FROM gone ORDER BY key
  `,
  );
  return rows.map((row) => row.key);
}
