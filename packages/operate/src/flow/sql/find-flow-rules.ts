import type { Queryable } from '@duework/queue-core';
import { queryRows, sql, type Sql } from '@duework/sql';
import type { FlowRuleState } from '../flow-rule.js';

/** So many keys of a rule, and so many of those that wait, are looked at: some 50 ms. */
const MOST_KEYS = 2_000;
const MOST_WAITING = 10_000;

/** What holds of a rule `f`. */
export const termsOf = (rule: Sql): Sql => sql`coalesce(${rule}.declared || ${rule}.changed, ${rule}.declared)`;

/** Whether the run with this id holds the key `k`: what `duework.let_in` calls a holder. */
export const holdsKey = (id: Sql): Sql => sql`coalesce((
          SELECT CASE WHEN k.rule LIKE 'order/%' THEN j.held_by IS DISTINCT FROM k.key ELSE j.held_by IS NULL END
          FROM duework.job_runs AS j WHERE j.id = ${id}
        ), EXISTS (
          SELECT FROM duework.job_history_dead AS d
          WHERE k.rule LIKE 'order/%' AND d.id = ${id} AND d.acknowledged_at IS NULL AND k.key = ANY(d.gates) OFFSET 0
        ))`;

/** CTEs `keys`, `used` (key, units, runs) and `waiting` (key, n) of the rule or rules that `rules` (name) has. */
export const countedKeys = (rules: Sql): Sql => sql`keys AS MATERIALIZED (
      SELECT k.* FROM ${rules} AS f
      CROSS JOIN LATERAL (SELECT * FROM duework.flow_keys AS k WHERE k.rule = f.name ORDER BY k.key LIMIT ${MOST_KEYS}::integer) AS k
    ),
    used AS MATERIALIZED (
      SELECT k.rule, k.key, sum(h.unit) AS units, count(*) AS runs
      FROM keys AS k CROSS JOIN LATERAL unnest(k.holders, k.units) AS h (id, unit)
      WHERE ${holdsKey(sql`h.id`)}
      GROUP BY k.rule, k.key
    ),
    waiting AS MATERIALIZED (
      SELECT w.rule, w.key, count(*) AS n
      FROM ${rules} AS f
      CROSS JOIN LATERAL (
        SELECT k.rule, k.key FROM keys AS k CROSS JOIN LATERAL (SELECT FROM duework.flow_waits AS w WHERE w.key = k.key) AS w
        WHERE k.rule = f.name LIMIT ${MOST_WAITING}::integer
      ) AS w
      GROUP BY w.rule, w.key
    )`;

/** Whether a part alone was counted of these sums. */
export const isPart = (keys: Sql, waiting: Sql): Sql =>
  sql`(${keys} >= ${MOST_KEYS}::integer OR ${waiting} >= ${MOST_WAITING}::integer)`;

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
        coalesce((SELECT sum(u.runs) FROM used AS u WHERE u.rule = f.name), 0) AS running,
        coalesce((SELECT sum(w.n) FROM waiting AS w WHERE w.rule = f.name), 0) AS waiting
      FROM rules AS f
    )
    SELECT json_build_object(
      'name', f.name, 'kind', split_part(f.name, '/', 1), 'declared', f.declared, 'changed', f.changed,
      'changedBy', f.changed_by, 'changedAt', extract(epoch FROM f.changed_at) * 1000, 'terms', ${termsOf(sql`f`)},
      'types', coalesce((
        SELECT json_agg(d.type ORDER BY d.type) FROM duework.job_definitions AS d
        WHERE d.flow @> jsonb_build_array(jsonb_build_object('rule', f.name))
      ), '[]'),
      'keys', s.keys, 'running', s.running, 'waiting', s.waiting, 'closed', s.closed,
      'isAtLeast', ${isPart(sql`s.keys`, sql`s.waiting`)}
    )::text AS rule
    FROM rules AS f JOIN summed AS s ON s.name = f.name
    ORDER BY f.name
  `,
  );
  return rows.map(({ rule }) => {
    const read = JSON.parse(rule) as Omit<FlowRuleState, 'changedAt'> & { changedAt: number | null };
    return { ...read, changedAt: read.changedAt === null ? null : new Date(read.changedAt) };
  });
}
