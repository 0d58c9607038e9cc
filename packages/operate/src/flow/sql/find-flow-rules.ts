import type { Queryable } from '@duework/queue-core';
import { queryRows, sql, type Sql } from '@duework/sql';
import type { FlowRuleState } from '../flow-rule.js';
import { type Moments, toDate } from './moments.js';

/** So many keys of a rule, and so many of those that wait, are looked at: some 50 ms. */
const MOST_KEYS = 2_000;
const MOST_WAITING = 10_000;
/** So many of the runs of a queue that are due are looked at for those of its tenants. */
const MOST_DUE = 2_000;

/** What holds of a rule `f`. */
export const termsOf = (rule: Sql): Sql => sql`coalesce(${rule}.declared || ${rule}.changed, ${rule}.declared)`;

/** Whether `k` is a key at which runs wait: that of a queue alone is where its tenants take their turns. */
export const isOfRuns: Sql = sql`(k.rule NOT LIKE 'tenant/%' OR k.key <> k.rule)`;

/** Whether the run with this id holds the key `k`: what `duework.let_in` calls a holder. */
export const holdsKey = (id: Sql): Sql => sql`coalesce((
          SELECT CASE WHEN k.rule LIKE 'order/%' THEN j.held_by IS DISTINCT FROM k.key ELSE j.held_by IS NULL END
          FROM duework.job_runs AS j WHERE j.id = ${id}
        ), EXISTS (
          SELECT FROM duework.job_history_dead AS d
          WHERE k.rule LIKE 'order/%' AND d.id = ${id} AND d.acknowledged_at IS NULL AND k.key = ANY(d.gates) OFFSET 0
        ))`;

/**
 * CTE `let_in` (rule, gate, id, place): the runs of tenants that were let in by all their gates. A tenant's key has no
 * holders, because its turn is over when it was let in.
 */
export const letInOfTenants = (rules: Sql): Sql => sql`let_in AS MATERIALIZED (
      SELECT f.name AS rule, g.gate, j.id, row_number() OVER () AS place
      FROM ${rules} AS f
      CROSS JOIN LATERAL (
        SELECT j.id, j.gates FROM duework.job_runs AS j
        WHERE j.queue = substr(f.name, length('tenant/') + 1) AND j.held_by IS NULL AND j.run_at <= now()
        ORDER BY j.priority, j.run_at, j.id LIMIT ${MOST_DUE}::integer
      ) AS j
      CROSS JOIN LATERAL unnest(j.gates) AS g (gate)
      WHERE f.name LIKE 'tenant/%' AND g.gate LIKE 'tenant/%'
    )`;

/** Since when the one waits at a key that has waited for the longest time; in an order that is its next one, `head`. */
export const waitingSince = (rule: Sql, readyAt: Sql, head: Sql): Sql => sql`CASE
        WHEN ${rule} LIKE 'order/%' THEN (SELECT j.run_at FROM duework.job_runs AS j WHERE j.id = ${head})
        ELSE ${readyAt}
      END`;

/** CTEs `keys`, `used` (key, units, runs) and `waiting` (key, n, since) of the rule or rules that `rules` (name) has. */
export const countedKeys = (rules: Sql): Sql => sql`keys AS MATERIALIZED (
      SELECT k.* FROM ${rules} AS f
      CROSS JOIN LATERAL (
        SELECT * FROM duework.flow_keys AS k WHERE k.rule = f.name AND ${isOfRuns} ORDER BY k.key LIMIT ${MOST_KEYS}::integer
      ) AS k
    ),
    ${letInOfTenants(rules)},
    used AS MATERIALIZED (
      SELECT k.rule, k.key, sum(h.unit) AS units, count(*) AS runs
      FROM keys AS k CROSS JOIN LATERAL unnest(k.holders, k.units) AS h (id, unit)
      WHERE ${holdsKey(sql`h.id`)}
      GROUP BY k.rule, k.key
      UNION ALL
      SELECT l.rule, l.gate, count(*), count(*) FROM let_in AS l GROUP BY l.rule, l.gate
    ),
    waiting AS MATERIALIZED (
      SELECT w.rule, w.key, count(*) AS n, min(w.ready_at) AS ready_at, min(w.run_id) AS head
      FROM ${rules} AS f
      CROSS JOIN LATERAL (
        SELECT k.rule, k.key, w.ready_at, w.run_id
        FROM keys AS k CROSS JOIN LATERAL (SELECT w.ready_at, w.run_id FROM duework.flow_waits AS w WHERE w.key = k.key) AS w
        WHERE k.rule = f.name LIMIT ${MOST_WAITING}::integer
      ) AS w
      GROUP BY w.rule, w.key
    )`;

/** Whether a part alone was counted of these sums. */
export const isPart = (keys: Sql, waiting: Sql): Sql =>
  sql`(${keys} >= ${MOST_KEYS}::integer OR ${waiting} >= ${MOST_WAITING}::integer)`;

/** Whether a dead run keeps the key `k` of an order shut. */
const hasDeadHolder: Sql = sql`EXISTS (
            SELECT FROM unnest(k.holders) AS h (id) JOIN duework.job_history_dead AS d ON d.id = h.id
            WHERE d.acknowledged_at IS NULL AND k.key = ANY(d.gates)
          )`;

/** The rules by their names, or the one of this name. */
export async function findFlowRules(db: Queryable, name: string | null): Promise<FlowRuleState[]> {
  const rows = await queryRows<{ rule: string }>(
    db,
    sql`
    WITH rules AS MATERIALIZED (
      SELECT * FROM duework.flow_rules AS f WHERE ${name}::text IS NULL OR f.name = ${name}::text
    ),
    ${countedKeys(sql`rules`)},
    summed AS MATERIALIZED (
      SELECT f.name,
        (SELECT count(*) FROM keys AS k WHERE k.rule = f.name) AS keys,
        (SELECT count(*) FROM keys AS k WHERE k.rule = f.name AND k.closed_until > now()) AS closed,
        (SELECT max(k.closed_until) FROM keys AS k WHERE k.rule = f.name AND k.closed_until > now()) AS closed_until,
        (SELECT count(*) FROM keys AS k WHERE k.rule = f.name AND k.is_trying AND (k.closed_until > now()) IS NOT TRUE) AS trying,
        (SELECT count(*) FROM keys AS k JOIN waiting AS w ON w.key = k.key
          WHERE f.blocks AND k.rule = f.name AND ${hasDeadHolder}) AS blocked,
        coalesce((SELECT sum(u.runs) FROM used AS u WHERE u.rule = f.name), 0) AS running,
        coalesce((SELECT sum(u.units) FROM used AS u WHERE u.rule = f.name), 0) AS used,
        coalesce((SELECT sum(w.n) FROM waiting AS w WHERE w.rule = f.name), 0) AS waiting,
        (SELECT min(${waitingSince(sql`w.rule`, sql`w.ready_at`, sql`w.head`)}) FROM waiting AS w WHERE w.rule = f.name) AS since
      FROM rules AS f
    )
    SELECT json_build_object(
      'name', f.name, 'kind', split_part(f.name, '/', 1), 'declared', f.declared, 'changed', f.changed,
      'changedBy', f.changed_by, 'changedAt', extract(epoch FROM f.changed_at) * 1000, 'terms', ${termsOf(sql`f`)},
      'types', coalesce((
        SELECT json_agg(d.type ORDER BY d.type) FROM duework.job_definitions AS d
        WHERE d.flow @> jsonb_build_array(jsonb_build_object('rule', f.name))
      ), '[]'),
      'keys', s.keys, 'running', s.running, 'used', s.used, 'waiting', s.waiting,
      'waitingSince', extract(epoch FROM s.since) * 1000, 'closed', s.closed,
      'closedUntil', extract(epoch FROM s.closed_until) * 1000, 'trying', s.trying, 'blocked', s.blocked,
      'isAtLeast', ${isPart(sql`s.keys`, sql`s.waiting`)}
    )::text AS rule
    FROM rules AS f JOIN summed AS s ON s.name = f.name
    ORDER BY f.name
  `,
  );
  return rows.map(({ rule }) => {
    const read = JSON.parse(rule) as Moments<FlowRuleState, 'changedAt' | 'waitingSince' | 'closedUntil'>;
    return {
      ...read,
      changedAt: toDate(read.changedAt),
      waitingSince: toDate(read.waitingSince),
      closedUntil: toDate(read.closedUntil),
    };
  });
}
