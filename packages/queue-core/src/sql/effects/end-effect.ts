import type { EffectEnding, EffectKey } from '../../ports/effects.js';
import { queryRows, sql, type Queryable, type Sql } from '@duework/sql';

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
  const change = async (condition: Sql, set: Sql): Promise<boolean> =>
    (await queryRows(db, sql`UPDATE duework.job_effects SET ${set} WHERE ${condition} RETURNING name`)).length === 1;
  switch (ending.kind) {
    case 'done':
      return change(
        sql`(${isOurs}) OR (${isEffect} AND status IN ('unknown', 'approved'))`,
        sql`status = 'done', done_at = now(), result = ${ending.resultJson}::text::jsonb`,
      );
    case 'unknown':
      return change(isOurs, sql`status = 'unknown'`);
    case 'not_repeated':
      // as if a person had approved it: the next claim may begin it, and learns that it is a repeat
      return change(isOurs, sql`status = 'approved', undone = undone + 1`);
    case 'undone':
      // as if it had never begun
      return change(isOurs, sql`status = 'undone', undone = undone + 1`);
  }
}
