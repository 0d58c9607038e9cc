import type { Catalog } from '@duework/contracts';
import { queryRows, sql, type Queryable } from '@duework/sql';
import { definitionColumns, givenDefinitions } from './given-definitions.js';

/** A type whose row was written. `isChanging`: runs that wait are still to get the gates of its rules, see `takeGates`. */
export interface RegisteredType {
  readonly type: string;
  readonly isChanging: boolean;
}

/**
 * Writes the job definitions of a catalog, and the flow rules that they declare. While old and new workers run side by
 * side, an older version of a contract never overwrites a newer one. Returns the types whose row was written.
 *
 * Where the rules of a type make other gates than those that were registered, its runs that wait are noted to get theirs anew.
 *
 * Where types declare a rule of one name differently, the stricter counts. What an operator has changed of a rule stays.
 * A rule that no type declares any more is forgotten, unless an operator has changed it.
 */
export async function registerDefinitions(db: Queryable, catalog: Catalog): Promise<RegisteredType[]> {
  return queryRows(
    db,
    sql`
    WITH written AS (
      INSERT INTO duework.job_definitions AS d (${definitionColumns})
      ${givenDefinitions(catalog)}
      -- every worker writes in this order, so that two deploys cannot deadlock
      ORDER BY type
      ON CONFLICT (type) DO UPDATE SET
        version = excluded.version, queue = excluded.queue, priority = excluded.priority,
        max_attempts = excluded.max_attempts, timeout_ms = excluded.timeout_ms, lease_ms = excluded.lease_ms,
        retry = excluded.retry, payload_schema = excluded.payload_schema,
        default_payload = excluded.default_payload, oldest_version = excluded.oldest_version, has_key = excluded.has_key,
        key_window_ms = excluded.key_window_ms, sensitive = excluded.sensitive, sensitive_result = excluded.sensitive_result,
        requires_encryption = excluded.requires_encryption, alert_after_releases = excluded.alert_after_releases,
        flow = excluded.flow, has_gate_code = excluded.has_gate_code, max_wait_ms = excluded.max_wait_ms,
        terms = excluded.terms, queues = excluded.queues, unique_rule = excluded.unique_rule,
        labels = excluded.labels, event = excluded.event, event_keep_ms = excluded.event_keep_ms,
        subscription = excluded.subscription,
        keep_days = excluded.keep_days, dead_days = excluded.dead_days,
        (gates_after, gates_by) = (
          SELECT CASE WHEN s.is_same THEN d.gates_after ELSE 0 END, CASE WHEN s.is_same THEN d.gates_by END
          FROM (
            SELECT duework.gates_shape(d.flow, d.has_gate_code)
              IS NOT DISTINCT FROM duework.gates_shape(excluded.flow, excluded.has_gate_code) AS is_same
          ) AS s
        ),
        updated_at = now()
      WHERE excluded.version >= d.version
      RETURNING d.type, d.flow, d.gates_after
    ),
    declared AS MATERIALIZED (
      SELECT r.rule, r.declared
      FROM (
        SELECT flow FROM written
        UNION ALL
        SELECT o.flow FROM duework.job_definitions AS o WHERE o.type NOT IN (SELECT type FROM written)
      ) AS d
      CROSS JOIN LATERAL jsonb_to_recordset(d.flow) AS r (rule text, declared jsonb)
    ),
    ruled AS (
      INSERT INTO duework.flow_rules AS f (name, declared)
      SELECT DISTINCT ON (rule) rule, declared
      FROM declared
      -- the stricter first: fewer at once, fewer in a time, a breaker that opens sooner, an order that waits and blocks
      ORDER BY rule,
        (declared->>'max')::float8 / coalesce((declared->>'perMs')::float8, 1), (declared->>'burst')::float8,
        (declared->>'share')::float8, (declared->>'pauseMs')::float8 DESC,
        declared->>'onFailure' DESC, declared->>'onDead', declared
      ON CONFLICT (name) DO UPDATE SET declared = excluded.declared, updated_at = now()
      WHERE f.declared <> excluded.declared
      RETURNING f.name
    ),
    forgotten AS (
      DELETE FROM duework.flow_rules WHERE changed IS NULL AND name NOT IN (SELECT rule FROM declared)
      RETURNING name
    ),
    -- a rule that was loosened, or is gone, lets in whom it has held
    looked AS (
      INSERT INTO duework.flow_looks (at, key)
      SELECT now(), k.key FROM duework.flow_keys AS k
      WHERE k.rule IN (SELECT name FROM ruled UNION ALL SELECT name FROM forgotten)
    )
    SELECT type, gates_after IS NOT NULL AS "isChanging" FROM written
  `,
  );
}
