import { isoText, queryRows, sql, type Queryable } from '@duework/sql';
import type { NewWait, WaitAnswer } from '../../ports/steps.js';

/** Begins waits in one statement; answers for each, in their order. */
export async function beginWaits(db: Queryable, batch: readonly NewWait[]): Promise<WaitAnswer[]> {
  const waits = batch.map(({ askedSeq: asked, ...wait }) => ({ ...wait, asked }));
  const rows = await queryRows<{ kind: WaitAnswer['kind']; wakesAt: string | null }>(
    db,
    sql`
    SELECT answer AS kind, ${isoText(sql`wakes_at`)} AS "wakesAt"
    FROM duework.begin_waits(${JSON.stringify(waits)}::text::jsonb)
    ORDER BY place
  `,
  );
  return rows.map(({ kind, wakesAt }) => (kind === 'waiting' ? { kind, wakesAt } : { kind }));
}
