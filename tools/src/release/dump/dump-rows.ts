import type pg from 'pg';
import { openClient } from '../../kit/open-client.js';

/** The rows of the schema duework as SQL that puts them into the same schema again, and where its sequences stand. */
export async function dumpRows(url: string): Promise<string> {
  const client = await openClient(url, { options: '-c TimeZone=UTC' });
  try {
    // rows go into the partition of their day, whichever there is then
    const tables = await readNames(
      client,
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'duework'::regnamespace
         AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migrations'`,
    );
    const sequences = await readNames(
      client,
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'duework'::regnamespace AND relkind = 'S'`,
    );
    const parts: string[] = [];
    for (const table of tables) parts.push(...(await dumpTable(client, table)));
    for (const sequence of sequences) parts.push(await dumpSequence(client, sequence));
    return parts.join('\n');
  } finally {
    await client.end();
  }
}

async function readNames(client: pg.Client, sql: string): Promise<readonly string[]> {
  return (await client.query<{ name: string }>(`${sql} ORDER BY 1`)).rows.map(({ name }) => name);
}

async function dumpTable(client: pg.Client, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ row: string }>(
    `SELECT quote_literal(to_jsonb(t)::text) AS row FROM ${table} t ORDER BY to_jsonb(t)::text`,
  );
  // an identity column takes a value only so
  return rows.map(
    ({ row }) =>
      `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::${table}, ${row});`,
  );
}

async function dumpSequence(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ last_value: string; is_called: boolean }>(
    `SELECT last_value, is_called FROM ${name}`,
  );
  return `SELECT setval('${name}', ${rows[0]?.last_value ?? '1'}, ${rows[0]?.is_called === true});`;
}
