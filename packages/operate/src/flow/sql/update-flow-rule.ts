import type { Act, Queryable } from '@duework/queue-core';
import { insertAudit, lookAt } from '@duework/queue-core/internals';
import { queryRows, sql, type Sql } from '@duework/sql';
import type { FlowPreview, RuleTerms } from '../flow-rule.js';
import { countedKeys, isPart, termsOf } from './find-flow-rules.js';

/** The fields that are set, null where one is taken back; null: all of them are. */
export type StoredChange = { readonly [field: string]: number | null } | null;

/** What is changed of a rule `f` when these fields are set beside those of before; null where a field is taken back. */
const changedOf = (stored: StoredChange): Sql =>
  stored === null
    ? sql`NULL::jsonb`
    : sql`nullif(jsonb_strip_nulls(coalesce(f.changed, '{}'::jsonb) || ${JSON.stringify(stored)}::text::jsonb), '{}'::jsonb)`;

const afterOf = (stored: StoredChange): Sql => sql`coalesce(f.declared || ${changedOf(stored)}, f.declared)`;

/**
 * Writes what an operator changes of a rule, and has all its keys looked at at which somebody waits; returns what holds then. null:
 * there is no such rule. Where the change sets a burst above the bound that would hold, nothing is written.
 */
export async function updateFlowRule(
  db: Queryable,
  name: string,
  stored: StoredChange,
  act: Act,
): Promise<RuleTerms | null> {
  const [row] = await queryRows<{ after: string }>(
    db,
    sql`
    WITH target AS MATERIALIZED (
      SELECT f.*, ${changedOf(stored)} AS becomes, ${afterOf(stored)} AS after
      FROM duework.flow_rules AS f WHERE f.name = ${name}::text FOR UPDATE
    ),
    written AS (
      UPDATE duework.flow_rules AS f
      SET changed = t.becomes, updated_at = now(),
        changed_at = CASE WHEN t.becomes IS NOT NULL THEN now() END,
        changed_by = CASE WHEN t.becomes IS NOT NULL THEN ${act.by ?? null}::text END
      FROM target AS t
      WHERE f.name = t.name AND t.becomes IS DISTINCT FROM t.changed
        AND (${stored?.['burst'] ?? null}::float8 > (t.after ->> 'max')::float8) IS NOT TRUE
      RETURNING f.*
    ),
    ${lookAt(sql`SELECT k.key FROM written AS f JOIN duework.flow_keys AS k ON k.rule = f.name
        WHERE EXISTS (SELECT FROM duework.flow_waits AS w WHERE w.key = k.key)`)},
    audited AS (
      ${insertAudit(act, {
        verb: 'change_flow_rule',
        kind: 'flow_rule',
        target: sql`w.name`,
        before: termsOf(sql`t`),
        after: termsOf(sql`w`),
        from: sql`written AS w CROSS JOIN target AS t`,
      })}
    )
    SELECT after::text AS after FROM target
  `,
  );
  return row === undefined ? null : (JSON.parse(row.after) as RuleTerms);
}

/** What such a change would do; null: there is no such rule. */
export async function previewChange(db: Queryable, name: string, stored: StoredChange): Promise<FlowPreview | null> {
  const [row] = await queryRows<{ preview: string }>(
    db,
    sql`
    WITH rules AS MATERIALIZED (
      SELECT f.*, ${termsOf(sql`f`)} AS before, ${afterOf(stored)} AS after
      FROM duework.flow_rules AS f WHERE f.name = ${name}::text
    ),
    ${countedKeys(sql`rules`)},
    each AS MATERIALIZED (
      SELECT coalesce(u.runs, 0) AS runs, coalesce(w.n, 0) AS n,
        CASE WHEN f.name LIKE 'limit/%' THEN (f.after ->> 'max')::float8 - coalesce(u.units, 0) END AS free,
        k.closed_until > now() AS is_closed
      FROM rules AS f JOIN keys AS k ON k.rule = f.name
      LEFT JOIN used AS u ON u.key = k.key LEFT JOIN waiting AS w ON w.key = k.key
    ),
    summed AS (
      SELECT count(*) AS keys, coalesce(sum(runs), 0) AS running, coalesce(sum(n), 0) AS waiting,
        sum(CASE WHEN is_closed THEN 0 ELSE least(n, greatest(0, free)) END) AS let_in, sum(greatest(0, -free)) AS over
      FROM each
    )
    SELECT json_build_object(
      'before', f.before, 'after', f.after, 'running', s.running, 'waiting', s.waiting,
      'letIn', CASE WHEN f.name LIKE 'limit/%' THEN coalesce(s.let_in, 0) END,
      'over', CASE WHEN f.name LIKE 'limit/%' THEN coalesce(s.over, 0) END,
      'isAtLeast', ${isPart(sql`s.keys`, sql`s.waiting`)}
    )::text AS preview
    FROM rules AS f CROSS JOIN summed AS s
  `,
  );
  return row === undefined ? null : (JSON.parse(row.preview) as FlowPreview);
}
