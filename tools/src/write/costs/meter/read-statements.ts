import type pg from 'pg';

export interface Statements {
  /** Those that the client sent, BEGIN and COMMIT included. */
  readonly sent: number;
  /** Those that functions ran. */
  readonly inside: number;
  /** Pages of tables and indexes, however often each was looked up, from memory or not. */
  readonly buffers: number;
}

const RESET = `SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = $1), 0)`;

const READ = `
  SELECT
    coalesce(sum(calls) FILTER (WHERE toplevel), 0)::int AS sent,
    coalesce(sum(calls) FILTER (WHERE NOT toplevel), 0)::int AS inside,
    -- a statement that calls a function has the function's buffers, too
    coalesce(sum(shared_blks_hit + shared_blks_read) FILTER (WHERE toplevel), 0)::int AS buffers
  FROM pg_stat_statements
  WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1)`;

/** Forgets the statements of a database. */
export async function forgetStatements(admin: pg.Client, database: string): Promise<void> {
  await admin.query(RESET, [database]);
}

/** The statements of a database since they were forgotten. */
export async function readStatements(admin: pg.Client, database: string): Promise<Statements> {
  const { rows } = await admin.query<Statements>(READ, [database]);
  return rows[0]!;
}
