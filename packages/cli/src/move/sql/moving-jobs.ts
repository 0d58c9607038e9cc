import { queryRows, sql, type Queryable, type Sql } from '@duework/sql';
import type { OldJob } from '../old-system.js';

/**
 * Tables in the schema of an old system that is in a database of its own: what was taken out of its queue and has not been noted
 * as arrived, and what has come back. Nobody but a move reads them.
 */
export async function makeMovingTables(db: Queryable, schema: Sql): Promise<void> {
  await queryRows(
    db,
    sql`
    CREATE TABLE IF NOT EXISTS ${schema}.duework_moving (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, by text NOT NULL, name text NOT NULL, job jsonb NOT NULL
    )`,
  );
  await queryRows(
    db,
    sql`
    CREATE TABLE IF NOT EXISTS ${schema}.duework_returned (
      origin text NOT NULL, id bigint NOT NULL, PRIMARY KEY (origin, id)
    )`,
  );
}

/** A job on its way: who took it, and the number that it has since. */
export interface MovingJob {
  readonly number: string;
  readonly by: string;
  readonly name: string;
  readonly job: OldJob;
}

/** Notes jobs as being on their way, in the transaction that takes them out of their queue. */
export async function noteMoving(
  tx: Queryable,
  schema: Sql,
  by: string,
  name: string,
  jobs: readonly OldJob[],
): Promise<void> {
  await queryRows(
    tx,
    sql`
    INSERT INTO ${schema}.duework_moving (by, name, job)
    SELECT ${by}::text, ${name}::text, x.job FROM jsonb_array_elements(${JSON.stringify(jobs)}::text::jsonb) AS x (job)`,
  );
}

/** The next ones of any name behind a number. */
export async function listMoving(
  db: Queryable,
  schema: Sql,
  after: string,
  limit: number,
): Promise<readonly MovingJob[]> {
  const rows = await queryRows<Omit<MovingJob, 'job'> & { readonly job: string }>(
    db,
    sql`
    SELECT m.number::text AS number, m.by, m.name, m.job::text AS job FROM ${schema}.duework_moving AS m
    WHERE m.number > ${after}::text::bigint ORDER BY m.number LIMIT ${limit}::integer`,
  );
  return rows.map((row) => ({ ...row, job: JSON.parse(row.job) as OldJob }));
}

export async function forgetMoving(tx: Queryable, schema: Sql, numbers: readonly string[]): Promise<void> {
  await queryRows(
    tx,
    sql`DELETE FROM ${schema}.duework_moving AS m WHERE m.number = ANY (${[...numbers]}::text[]::bigint[])`,
  );
}

/** Those runs of a database that have come back before. */
export async function findReturned(
  tx: Queryable,
  schema: Sql,
  origin: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await queryRows<{ id: string }>(
    tx,
    sql`
    SELECT r.id::text AS id FROM ${schema}.duework_returned AS r
    WHERE r.origin = ${origin}::text AND r.id = ANY (${[...ids]}::text[]::bigint[])`,
  );
  return rows.map(({ id }) => id);
}

export async function noteReturned(tx: Queryable, schema: Sql, origin: string, ids: readonly string[]): Promise<void> {
  await queryRows(
    tx,
    sql`
    INSERT INTO ${schema}.duework_returned (origin, id)
    SELECT ${origin}::text, g.id FROM unnest(${[...ids]}::text[]::bigint[]) AS g (id)`,
  );
}
