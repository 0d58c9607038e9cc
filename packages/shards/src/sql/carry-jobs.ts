import { queryRows, sql, type Queryable } from '@duework/sql';

/** What a forward has become; `runId` is null for one that this transaction has to carry. */
export interface CarriedJob {
  readonly forwardId: string;
  readonly runId: string | null;
}

/**
 * Notes forwards as carried, in the caller's transaction, which decides about them until it ends: another one that carries
 * the same waits for it. Answers with those that were carried before, too.
 */
export async function noteCarried(
  tx: Queryable,
  fromShard: string,
  forwardIds: readonly string[],
): Promise<readonly CarriedJob[]> {
  const ids = [...forwardIds];
  const noted = await queryRows<{ id: string }>(
    tx,
    sql`
    INSERT INTO duework.carried_jobs (from_shard, forward_id, run_id)
    SELECT ${fromShard}::text, g.id, 0 FROM unnest(${ids}::text[]::bigint[]) AS g (id) ORDER BY g.id
    ON CONFLICT DO NOTHING
    RETURNING forward_id::text AS id`,
  );
  const isNoted = new Set(noted.map(({ id }) => id));
  const rows = noted.map(({ id }): CarriedJob => ({ forwardId: id, runId: null }));
  const others = ids.filter((id) => !isNoted.has(id));
  if (others.length === 0) return rows;
  const before = await queryRows<CarriedJob>(
    tx,
    sql`
    SELECT c.forward_id::text AS "forwardId", c.run_id::text AS "runId" FROM duework.carried_jobs AS c
    WHERE c.from_shard = ${fromShard}::text AND c.forward_id = ANY (${others}::text[]::bigint[])`,
  );
  return [...rows, ...before];
}

/** Forgets notes, of what was not written after all. */
export async function forgetCarried(tx: Queryable, fromShard: string, forwardIds: readonly string[]): Promise<void> {
  await queryRows(
    tx,
    sql`
    DELETE FROM duework.carried_jobs AS c
    WHERE c.from_shard = ${fromShard}::text AND c.forward_id = ANY (${[...forwardIds]}::text[]::bigint[])`,
  );
}

/** Writes which jobs they have become. */
export async function nameCarried(
  tx: Queryable,
  fromShard: string,
  carried: readonly { readonly forwardId: string; readonly runId: string }[],
): Promise<void> {
  await queryRows(
    tx,
    sql`
    UPDATE duework.carried_jobs AS c SET run_id = g.run_id
    FROM unnest(${carried.map(({ forwardId }) => forwardId)}::text[]::bigint[],
      ${carried.map(({ runId }) => runId)}::text[]::bigint[]) AS g (forward_id, run_id)
    WHERE c.from_shard = ${fromShard}::text AND c.forward_id = g.forward_id`,
  );
}
