import { type Act, type Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql, type Sql, toArray } from '@duework/sql';
import { auditedSchedule } from './audited-schedule.js';

/** Deletes one schedule; its ledger stays, and its waiting due times are skipped. false: no schedule has that key. */
export async function deleteSchedule(db: Queryable, key: string, act: Act): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`
    WITH gone AS (DELETE FROM duework.schedules WHERE key = ${key}::text RETURNING *),
    dropped AS (
      UPDATE duework.schedule_ledger SET outcome = 'skipped', reason = 'deleted', decided_at = now()
      WHERE schedule_id IN (SELECT id FROM gone) AND outcome = 'waiting'
    ),
    audited AS (${auditGone(act)})
    SELECT id::text AS id FROM gone
  `,
  );
  return rows.length === 1;
}

/**
 * Deletes the schedules that a program's code declared and that are not in `keys`, the ones it declares now. Those of
 * other programs stay. Returns the deleted keys.
 */
export async function deleteVanishedSchedules(
  db: Queryable,
  program: string,
  keys: readonly string[],
  act: Act,
): Promise<string[]> {
  const rows = await queryRows<{ key: string }>(
    db,
    sql`
    WITH gone AS (
      DELETE FROM duework.schedules
      WHERE source = 'code' AND source_program = ${program}::text AND key <> ALL(${toArray(keys)}::text::text[])
      RETURNING *
    ),
    dropped AS (
      UPDATE duework.schedule_ledger SET outcome = 'skipped', reason = 'deleted', decided_at = now()
      WHERE schedule_id IN (SELECT id FROM gone) AND outcome = 'waiting'
    ),
    audited AS (${auditGone(act)})
    SELECT key FROM gone ORDER BY key
  `,
  );
  return rows.map((row) => row.key);
}

const auditGone = (act: Act): Sql =>
  insertAudit(act, {
    verb: 'delete_schedule',
    kind: 'schedule',
    target: sql`g.key`,
    before: auditedSchedule(sql`g`),
    after: sql`NULL::jsonb`,
    from: sql`gone AS g`,
  });
