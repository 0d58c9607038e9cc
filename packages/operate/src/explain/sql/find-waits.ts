import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { OpenWait } from '../explanation.js';

/** Of more waits than these only the number is told. */
const MOST = 5;

/** What the handler of a run waits for, that which began first, and of how many. */
export async function findWaits(
  db: Queryable,
  id: string,
): Promise<{ readonly waits: readonly OpenWait[]; readonly count: number }> {
  const rows = await queryRows<{
    step: string;
    kind: OpenWait['kind'];
    of: string | null;
    ms: number | null;
    all: number;
  }>(
    db,
    sql`
    SELECT name AS step, CASE awaits WHEN 'child' THEN 'job' ELSE coalesce(awaits, 'time') END AS kind,
      -- of a signal its name alone: its key has values of a payload in it
      CASE awaits WHEN 'signal' THEN split_part(awaited, ' ', 1) ELSE awaited END AS of,
      extract(epoch FROM wakes_at)::float8 * 1000 AS ms, (count(*) OVER ())::integer AS all
    FROM duework.job_steps
    WHERE run_id = ${id}::bigint AND status = 'waiting'
    ORDER BY asked_seq, name
    LIMIT ${MOST}::integer
  `,
  );
  return {
    waits: rows.map(({ step, kind, of, ms }) => ({ step, kind, of, until: ms === null ? null : new Date(ms) })),
    count: rows[0]?.all ?? 0,
  };
}
