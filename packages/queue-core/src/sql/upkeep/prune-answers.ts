import { queryRows, sql, type Queryable } from '@duework/sql';

/** Deletes answers to requests with an Idempotency-Key that are older than a day, at most `batch`; returns how many. */
export async function pruneAnswers(db: Queryable, batch: number): Promise<number> {
  const [row] = await queryRows<{ gone: number }>(db, sql`SELECT duework.prune_answers(${batch}::integer) AS gone`);
  return row!.gone;
}
