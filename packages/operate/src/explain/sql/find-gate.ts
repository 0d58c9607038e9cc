import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import { termsOf } from '../../flow/sql/find-flow-rules.js';
import type { RuleKind, RuleTerms } from '../../flow/flow-rule.js';

/** How many of those before it in the line are counted. */
const BUDGET = 10_000;

/** The gate at which a run waits, and its place there. */
export interface Gate {
  readonly key: string;
  readonly rule: string;
  readonly kind: RuleKind | 'pause';
  /** What holds of the rule; null: nobody declares it any more. */
  readonly terms: RuleTerms | null;
  readonly ahead: number;
  readonly isAtLeast: boolean;
  /** Of a tenant: how many others of the queue have their turn before it. */
  readonly turnsBefore: number;
}

/** The gate at which a live run waits; null: it was let in, or has no gates. */
export async function findGate(db: Queryable, id: string): Promise<Gate | null> {
  const [row] = await queryRows<{ gate: string }>(
    db,
    sql`
    SELECT json_build_object(
      'key', j.held_by, 'rule', r.rule, 'kind', split_part(r.rule, '/', 1), 'terms', ${termsOf(sql`f`)},
      'ahead', least(a.n, ${BUDGET}::integer), 'isAtLeast', a.n > ${BUDGET}::integer,
      'turnsBefore', (
        SELECT count(*) FROM duework.flow_turns AS t
        JOIN duework.flow_turns AS own ON own.queue = t.queue AND own.key = j.held_by
        WHERE t.queue = j.queue AND (t.turn, t.key) < (own.turn, own.key)
      )
    )::text AS gate
    FROM (SELECT * FROM duework.job_runs WHERE id = ${id}::bigint OFFSET 0) AS j
    CROSS JOIN LATERAL duework.rule_of_key(j.held_by) AS r (rule)
    LEFT JOIN duework.flow_rules AS f ON f.name = r.rule
    CROSS JOIN LATERAL (
      SELECT count(*) AS n FROM (
        SELECT FROM duework.flow_waits AS w
        WHERE w.key = j.held_by AND (w.priority, w.ready_at, w.run_id)
          < (duework.line_priority(j.held_by, j.priority), duework.line_ready_at(j.held_by, j.run_at), j.id)
        LIMIT ${BUDGET}::integer + 1
      ) AS before
    ) AS a
    WHERE j.held_by IS NOT NULL
  `,
  );
  return row === undefined ? null : (JSON.parse(row.gate) as Gate);
}
