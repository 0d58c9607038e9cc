import type { Approval, ApprovalQuestion, Queryable } from '@duework/queue-core';
import { APPROVAL_SIGNAL, questionOf } from '@duework/queue-core/internals';
import { queryRows, sql } from '@duework/sql';

export interface ApprovalRow {
  readonly name: string;
  readonly question: ApprovalQuestion;
  /** null: its wait has not begun. */
  readonly status: 'waiting' | 'arrived' | 'done' | 'failed' | null;
  readonly until_ms: number | null;
  readonly is_time_over: boolean;
  readonly is_live: boolean;
  readonly decision: Approval | null;
}

const MOST = 100;

/** What a run asks people, by the steps that keep the questions: the first hundred. */
export async function findApprovals(db: Queryable, id: string): Promise<ApprovalRow[]> {
  return queryRows<ApprovalRow>(
    db,
    sql`
    SELECT left(q.name, -length(${questionOf('')}::text)) AS name, q.result AS question, w.status, w.result AS decision,
      (extract(epoch FROM w.wakes_at) * 1000)::float8 AS until_ms, coalesce(w.wakes_at <= now(), false) AS is_time_over,
      EXISTS (SELECT FROM duework.job_runs AS j WHERE j.id = q.run_id) AS is_live
    FROM duework.job_steps AS q
    LEFT JOIN duework.job_steps AS w ON w.run_id = q.run_id AND w.name = left(q.name, -length(${questionOf('')}::text))
      AND w.awaits = 'signal' AND starts_with(w.awaited, ${`${APPROVAL_SIGNAL} `}::text)
    WHERE q.run_id = ${id}::bigint AND q.name LIKE ${`%${questionOf('')}`}::text AND q.result ? 'choices'
    ORDER BY q.asked_seq
    LIMIT ${MOST}::integer
  `,
  );
}
