import type { Act, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { isoText, queryRows, sql } from '@duework/sql';

/**
 * Closes a key for so many milliseconds, or opens it (null), and has it looked at when it opens: at once to all that have
 * room, because a person, and no provider, has asked for the time. false: there is no such
 * rule. The audit names the rule alone: keys are made of payloads.
 */
export async function shutKey(
  db: Queryable,
  { key, rule, ms, act }: { key: string; rule: string; ms: number | null; act: Act },
): Promise<boolean> {
  const closedUntil = sql`now() + ${ms}::float8 * interval '1 millisecond'`;
  const rows = await queryRows(
    db,
    sql`
    WITH rule AS MATERIALIZED (
      SELECT f.name FROM duework.flow_rules AS f WHERE f.name = ${rule}::text AND left(${key}::text, length(f.name)) = f.name
    ),
    before AS MATERIALIZED (
      SELECT k.key, k.closed_until FROM duework.flow_keys AS k WHERE k.key = ${key}::text FOR UPDATE
    ),
    written AS (
      INSERT INTO duework.flow_keys AS k (key, rule, closed_until)
      SELECT ${key}::text, r.name, ${closedUntil} FROM rule AS r WHERE (SELECT count(*) FROM before) >= 0
      ON CONFLICT (key) DO UPDATE
      SET closed_until = excluded.closed_until, closed_ms = NULL,
        -- whoever closes a breaker says no more of its tries; whoever opens it has seen that all is well
        is_trying = CASE WHEN ${ms}::float8 IS NULL THEN false ELSE k.is_trying END,
        recent = CASE WHEN ${ms}::float8 IS NULL THEN NULL ELSE k.recent END
      RETURNING k.*
    ),
    looked AS (
      INSERT INTO duework.flow_looks (at, key) SELECT coalesce(w.closed_until, now()), w.key FROM written AS w
      RETURNING duework.notify('duework_wake', '')::text AS told
    ),
    audited AS (
      ${insertAudit(act, {
        verb: ms === null ? 'open_flow_key' : 'close_flow_key',
        kind: 'flow_rule',
        target: sql`w.rule`,
        before: sql`jsonb_build_object('closedUntil', ${isoText(sql`b.closed_until`)})`,
        after: sql`jsonb_build_object('closedUntil', ${isoText(sql`w.closed_until`)})`,
        from: sql`written AS w LEFT JOIN before AS b ON true`,
      })}
    )
    SELECT key FROM written
  `,
  );
  return rows.length === 1;
}
