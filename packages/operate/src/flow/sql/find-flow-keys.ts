import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { FlowKey, FlowKeyFilter, KeyHolder } from '../flow-rule.js';
import { holdsKey, isOfRuns, letInOfTenants, waitingSince } from './find-flow-rules.js';
import { type Moments, toDate } from './moments.js';

const MOST_HOLDERS = 20;
const MOST_WAITING = 10_000;

interface FoundKeys extends FlowKeyFilter {
  readonly rule: string;
  /** This one alone. */
  readonly key?: string | null;
  readonly after: string | null;
  readonly limit: number;
}

/** Keys by their text: of a rule, or the one that is given. */
export async function findFlowKeys(
  db: Queryable,
  { rule, key = null, after, limit, value, isBusy = false }: FoundKeys,
): Promise<FlowKey[]> {
  const begin = value === undefined || value === '' ? null : `${rule}/${value}`;
  const rows = await queryRows<{ key: string }>(
    db,
    sql`
    WITH rules AS MATERIALIZED (SELECT f.name FROM duework.flow_rules AS f WHERE f.name = ${rule}::text),
    ${letInOfTenants(sql`rules`)},
    page AS MATERIALIZED (
      SELECT * FROM duework.flow_keys AS k
      WHERE k.rule = ${rule}::text AND k.key > coalesce(${after}::text, '')
        AND (k.key = ${key}::text OR (${key}::text IS NULL AND ${isOfRuns}))
        AND (${begin}::text IS NULL OR (
          k.key >= ${begin}::text AND k.key < ${begin}::text || chr(1114111) AND starts_with(k.key, ${begin}::text)))
        AND (NOT ${isBusy}::boolean OR k.closed_until > now() OR k.is_trying OR k.next_at > now() OR k.holders <> '{}'
          OR EXISTS (SELECT FROM duework.flow_waits AS w WHERE w.key = k.key OFFSET 0)
          OR EXISTS (SELECT FROM let_in AS l WHERE l.gate = k.key))
      ORDER BY k.key LIMIT ${limit}::integer
    )
    SELECT json_build_object(
      'key', k.key, 'value', CASE WHEN k.key <> k.rule THEN substr(k.key, length(k.rule) + 2) END,
      'used', held.used, 'holders', held.holders,
      'waiting', least(w.n, ${MOST_WAITING}::integer), 'waitingIsAtLeast', w.n > ${MOST_WAITING}::integer,
      'waitingSince', extract(epoch FROM ${waitingSince(sql`k.rule`, sql`w.ready_at`, sql`w.head`)}) * 1000,
      'weight', CASE WHEN k.rule LIKE 'tenant/%' AND w.n > 0 THEN coalesce((
        SELECT j.gate_units[array_position(j.gates, k.key)]
        FROM (
          SELECT n.run_id FROM duework.flow_waits AS n WHERE n.key = k.key ORDER BY n.priority, n.ready_at, n.run_id LIMIT 1
        ) AS n
        JOIN duework.job_runs AS j ON j.id = n.run_id
      ), 1) END,
      'nextAt', extract(epoch FROM nullif(greatest(
        k.next_at + (1 - f.burst) * f.unit_ms * interval '1 millisecond', now()), now())) * 1000,
      'closedUntil', CASE WHEN k.closed_until > now() THEN extract(epoch FROM k.closed_until) * 1000 END,
      'breaker', CASE
        WHEN k.rule NOT LIKE 'breaker/%' THEN NULL
        WHEN k.closed_until > now() THEN 'open' WHEN k.is_trying THEN 'trying' ELSE 'closed' END,
      'failed', CASE WHEN k.rule LIKE 'breaker/%' THEN length(replace(coalesce(k.recent, ''), '0', '')) END,
      'attempts', CASE WHEN k.rule LIKE 'breaker/%' THEN length(coalesce(k.recent, '')) END
    )::text AS key
    FROM page AS k
    LEFT JOIN duework.flow_rules AS f ON f.name = k.rule
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(h.unit), 0) AS used, coalesce(json_agg(json_build_object(
        'id', h.id::text, 'type', j.job_type, 'status', j.status, 'units', h.unit, 'worker', j.locked_by,
        'since', extract(epoch FROM coalesce(j.since, now())) * 1000, 'lockedUntil', extract(epoch FROM j.locked_until) * 1000
      ) ORDER BY h.place) FILTER (WHERE h.place <= ${MOST_HOLDERS}::integer), '[]') AS holders
      FROM (
        SELECT h.id, h.unit, row_number() OVER (ORDER BY h.place) AS place
        FROM unnest(k.holders, k.units) WITH ORDINALITY AS h (id, unit, place) WHERE ${holdsKey(sql`h.id`)}
        UNION ALL
        SELECT l.id, 1, row_number() OVER (ORDER BY l.place) FROM let_in AS l WHERE l.gate = k.key AND k.key <> k.rule
      ) AS h
      LEFT JOIN LATERAL (
        SELECT j.job_type, j.status, j.locked_by, j.locked_until,
          CASE WHEN j.locked_by IS NULL THEN j.run_at ELSE j.claimed_at END AS since
        FROM duework.job_runs AS j WHERE j.id = h.id
        UNION ALL
        SELECT d.job_type, 'dead', NULL, NULL, d.finished_at FROM duework.job_history_dead AS d WHERE d.id = h.id
        LIMIT 1
      ) AS j ON true
    ) AS held
    CROSS JOIN LATERAL (
      SELECT count(*) AS n, min(w.ready_at) AS ready_at, min(w.run_id) AS head FROM (
        SELECT w.ready_at, w.run_id FROM duework.flow_waits AS w WHERE w.key = k.key LIMIT ${MOST_WAITING}::integer + 1
      ) AS w
    ) AS w
    ORDER BY k.key
  `,
  );
  return rows.map(({ key: text }) => {
    const { holders, ...read } = JSON.parse(text) as Omit<
      Moments<FlowKey, 'nextAt' | 'closedUntil' | 'waitingSince'>,
      'holders'
    > & {
      holders: readonly Moments<KeyHolder, 'since' | 'lockedUntil'>[];
    };
    return {
      ...read,
      nextAt: toDate(read.nextAt),
      closedUntil: toDate(read.closedUntil),
      waitingSince: toDate(read.waitingSince),
      holders: holders.map((one) => ({ ...one, since: toDate(one.since)!, lockedUntil: toDate(one.lockedUntil) })),
    };
  });
}
