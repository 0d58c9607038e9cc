import { requirePg } from '../../scripts/lib/with-fresh-database.mjs';

/** For loading millions of rows; nothing else takes so long. */
const LIMIT_MS = 600_000;

/** An open connection, whose loss ends nothing. */
export async function openClient(url, options) {
  const client = new (requirePg().Client)({ connectionString: url, ...options });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** A connection of the benchmark's own, for what is not measured. */
export const connect = (url) => openClient(url, { application_name: 'bench', statement_timeout: LIMIT_MS });

/** A pool whose lost connections end nothing. */
export function openPool(url, max) {
  const pool = new (requirePg().Pool)({ connectionString: url, max });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Runs statements on a connection that is closed afterwards; returns the rows of the last one. */
export async function queryOnce(url, ...statements) {
  const client = await connect(url);
  try {
    let rows = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

/**
 * The inspector's question where ids count up and what is never drained is below 0: from the newest one downwards, because what was drained
 * before is still in the index, and a look that goes through all of it takes a fiftieth of a drain.
 */
export const isDrainedSql = (table) =>
  `SELECT (SELECT id FROM ${table} WHERE id > 0 ORDER BY id DESC LIMIT 1) IS NULL AS is_drained`;

/** An inspector that asks one question; `sql` answers it as `is_drained`. */
export async function openSqlInspector(url, sql) {
  const client = await connect(url);
  return {
    isDrained: async () => (await client.query(sql)).rows[0].is_drained,
    close: () => client.end(),
  };
}
