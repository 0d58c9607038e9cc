import type { Queryable } from '@duework/queue-core';
import { isoText, queryRows, sql } from '@duework/sql';

/** Who closed a key, and why. */
export interface Closer {
  readonly by: string;
  readonly reason: string | null;
}

/**
 * Who closed a key of this rule that is closed now; null: no operator did, but what a handler or attempts said of it. The
 * audit names the rule alone, so that the key is told by the moment at which it opens.
 */
export async function findCloser(db: Queryable, { key, rule }: { key: string; rule: string }): Promise<Closer | null> {
  const [row] = await queryRows<{ closer: string }>(
    db,
    sql`
    SELECT json_build_object('by', a.by, 'reason', a.reason)::text AS closer
    FROM duework.flow_keys AS k
    CROSS JOIN LATERAL (
      SELECT a.by, a.reason FROM duework.audit_entries AS a
      WHERE a.kind = 'flow_rule' AND a.target = ${rule}::text AND a.verb = 'close_flow_key'
        AND a.after ->> 'closedUntil' = ${isoText(sql`k.closed_until`)}
      ORDER BY a.at DESC, a.id DESC LIMIT 1
    ) AS a
    WHERE k.key = ${key}::text
  `,
  );
  return row === undefined ? null : (JSON.parse(row.closer) as Closer);
}
