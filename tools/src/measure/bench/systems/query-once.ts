import type pg from 'pg';
import { openClient } from '../../../kit/open-client.js';
import type { Inspector } from './system.js';

/** The time limit for loading millions of rows; nothing else takes so long. */
const LIMIT_MS = 600_000;

/** A connection of the benchmark's own, for statements that are not measured. */
export const connect = (url: string): Promise<pg.Client> =>
  openClient(url, { application_name: 'bench', statement_timeout: LIMIT_MS });

/** Runs statements on a connection that is closed afterwards; returns the rows of the last one, as `TRow` promises. */
export async function queryOnce<TRow extends pg.QueryResultRow>(
  url: string,
  ...statements: readonly string[]
): Promise<TRow[]> {
  const client = await connect(url);
  try {
    let rows: TRow[] = [];
    for (const statement of statements) rows = (await client.query<TRow>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

/** The same for a statement that returns one row. */
export async function queryRow<TRow extends pg.QueryResultRow>(url: string, statement: string): Promise<TRow> {
  const [row] = await queryOnce<TRow>(url, statement);
  if (row === undefined) throw new Error(`No row: ${statement}`);
  return row;
}

/**
 * The inspector's query where ids count up and rows below 0 are never drained: it reads from the newest id downwards,
 * because drained rows are still in the index, and reading all of them takes a fiftieth of a drain.
 */
export const isDrainedSql = (table: string): string =>
  `SELECT (SELECT id FROM ${table} WHERE id > 0 ORDER BY id DESC LIMIT 1) IS NULL AS is_drained`;

/** An inspector with one query; `sql` answers it as `is_drained`. */
export async function openSqlInspector(url: string, sql: string): Promise<Inspector> {
  const client = await connect(url);
  return {
    isDrained: async () => (await client.query<{ is_drained: boolean }>(sql)).rows[0]?.is_drained === true,
    close: () => client.end(),
  };
}
