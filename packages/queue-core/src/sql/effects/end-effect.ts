import type { EffectEnding, EffectKey } from '../../ports/effects.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/**
 * Writes how an effect ended, only where this claim began it. false: another claim has taken it over meanwhile.
 *
 * That an effect happened is a fact, whoever reports it: `done` also settles an effect that another claim has made
 * `unknown`.
 */
export async function endEffect(
  db: Queryable,
  { type, runKey, name }: EffectKey,
  claim: { id: string; fence: number },
  ending: EffectEnding,
): Promise<boolean> {
  const isEffect = sql`job_type = ${type}::text AND run_key = ${runKey}::text AND name = ${name}::text`;
  const isOurs = sql`${isEffect} AND run_id = ${claim.id}::bigint AND fence = ${claim.fence}::bigint AND status = 'started'`;
  switch (ending.kind) {
    case 'done':
      return changedOne(
        db,
        sql`
        UPDATE duework.job_effects SET status = 'done', done_at = now(), result = ${ending.resultJson}::text::jsonb
        WHERE (${isOurs}) OR (${isEffect} AND status IN ('unknown', 'approved')) RETURNING name`,
      );
    case 'unknown':
      return changedOne(db, sql`UPDATE duework.job_effects SET status = 'unknown' WHERE ${isOurs} RETURNING name`);
    case 'not_repeated':
      // as if a person had approved it: the next claim may begin it, and learns that it is a repeat
      return changedOne(
        db,
        sql`UPDATE duework.job_effects SET status = 'approved', undone = undone + 1 WHERE ${isOurs} RETURNING name`,
      );
    case 'undone':
      // as if it had never begun
      return changedOne(
        db,
        sql`UPDATE duework.job_effects SET status = 'undone', undone = undone + 1 WHERE ${isOurs} RETURNING name`,
      );
  }
}

async function changedOne(db: Queryable, statement: ReturnType<typeof sql>): Promise<boolean> {
  return (await queryRows(db, statement)).length === 1;
}
