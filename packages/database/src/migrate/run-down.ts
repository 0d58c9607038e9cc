import type pg from 'pg';
import { isAboutLocks } from './apply-migration.js';
import { describeFailure } from './describe-failure.js';
import type { Migration } from './migration.js';
import { splitStatements } from './split-statements.js';

/** Rows that a way back would lose. */
export interface Loss {
  readonly what: string;
  readonly rows: number;
  /** The first of them, by name. */
  readonly some: readonly string[];
}

/** Begins a comment; the SELECT behind it returns the names of rows that would be lost. */
const LOSES = /^-- would lose: (.+)$/m;
const SOME = 5;

/**
 * Runs the way back of a migration in the transaction of `client`, and returns what that loses.
 *
 * A SELECT behind `-- would lose: what` says which rows would be lost. Once none is found, the tables that it reads are locked
 * against writers and it is asked again: what is committed in between counts, too.
 *
 * @throws DatabaseError `database_migration_failed`; the error of PostgreSQL where a lock was not to be had
 */
export async function runDown(client: pg.Client, migration: Migration, schema: string): Promise<readonly Loss[]> {
  const losses: Loss[] = [];
  try {
    for (const statement of splitStatements(migration.down!)) {
      const what = LOSES.exec(statement)?.[1];
      if (what === undefined) await client.query(statement);
      else losses.push(...(await findLoss(client, what, statement, schema)));
    }
  } catch (error) {
    throw isAboutLocks(error) ? error : describeFailure(error, migration, 'the way back from');
  }
  return losses;
}

async function findLoss(client: pg.Client, what: string, select: string, schema: string): Promise<readonly Loss[]> {
  const ask = async (): Promise<Loss | null> => {
    const { rows } = await client.query<{ rows: number; some: string[] }>(
      `SELECT count(*)::float8 AS rows, coalesce((array_agg(t.name ORDER BY t.name))[1:${SOME}], '{}') AS some FROM (${select}\n) AS t (name)`,
    );
    const found = rows[0]!;
    return found.rows === 0 ? null : { what, rows: found.rows, some: found.some.map(String) };
  };
  const loss = await ask();
  if (loss !== null) return [loss];
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT c.oid::regclass::text AS name FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation
     WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation' AND c.relkind IN ('r', 'p') AND c.relnamespace = to_regnamespace($1)
     ORDER BY 1`,
    [schema],
  );
  if (rows.length > 0) await client.query(`LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN SHARE MODE`);
  const late = await ask();
  return late === null ? [] : [late];
}
