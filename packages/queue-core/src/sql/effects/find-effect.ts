import type { Json } from '../../queue/job.js';
import type { EffectKey } from '../../ports/effects.js';
import { parseExactly, queryRows, sql, type Queryable } from '@duework/sql';

/** The result of an effect that has happened; null: it has not happened, or that is unknown. */
export async function findEffect(db: Queryable, { type, runKey, name }: EffectKey): Promise<{ result: Json } | null> {
  const [row] = await queryRows<{ result: string }>(
    db,
    sql`
    SELECT coalesce(result, 'null')::text AS result FROM duework.job_effects
    WHERE job_type = ${type}::text AND run_key = ${runKey}::text AND name = ${name}::text AND status = 'done'
  `,
  );
  return row === undefined ? null : { result: parseExactly(row.result) as Json };
}
