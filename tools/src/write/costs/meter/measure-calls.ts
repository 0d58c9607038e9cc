import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { FigureName } from '../figures.js';
import type { CountingProxy } from './start-counting-proxy.js';

interface Statements {
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
async function forgetStatements(admin: pg.Client, database: string): Promise<void> {
  await admin.query(RESET, [database]);
}

/** The statements of a database since they were forgotten. */
async function readStatements(admin: pg.Client, database: string): Promise<Statements> {
  const { rows } = await admin.query<Statements>(READ, [database]);
  return rows[0]!;
}

interface Wal {
  readonly records: number;
  readonly bytes: number;
  /** Of tables: inserted, updated, locked and deleted; a record of many rows counts as one. */
  readonly rowVersions: number;
  readonly indexEntries: number;
}

/** Where the next record will be written. */
async function readWalPosition(admin: pg.Client): Promise<string> {
  const { rows } = await admin.query<{ lsn: string }>(`SELECT pg_current_wal_insert_lsn()::text AS lsn`);
  return rows[0]!.lsn;
}

/** What is not yet on the disk cannot be read; this commit takes it there. */
const FLUSH = `SELECT pg_logical_emit_message(true, 'costs', '')`;

/**
 * The server's own records (which pages were given a hint, which transactions run) come at moments of their own. A page
 * split inserts one entry, and so does each record of an insert; those above the leaves belong to a split.
 */
const READ_WAL = `
  SELECT
    count(*)::int AS records,
    coalesce(sum(record_length - fpi_length), 0)::int AS bytes,
    (count(*) FILTER (
      WHERE resource_manager IN ('Heap', 'Heap2')
        AND record_type ~ '^(INSERT|MULTI_INSERT|UPDATE|HOT_UPDATE|DELETE|LOCK|LOCK_UPDATED)'
    ))::int AS "rowVersions",
    (count(*) FILTER (
      WHERE resource_manager = 'Btree'
        AND (record_type IN ('INSERT_LEAF', 'INSERT_POST') OR (record_type LIKE 'SPLIT%' AND description LIKE 'level: 0%'))
    ))::int AS "indexEntries"
  FROM pg_get_wal_records_info($1::pg_lsn, $2::pg_lsn)
  WHERE resource_manager NOT IN ('XLOG', 'Standby')`;

/** What was written to the log between two positions. */
async function readWal(admin: pg.Client, from: string, to: string): Promise<Wal> {
  if (from === to) return { records: 0, bytes: 0, rowVersions: 0, indexEntries: 0 };
  await admin.query(FLUSH);
  const { rows } = await admin.query<Wal>(READ_WAL, [from, to]);
  return rows[0]!;
}

/** Calls before the measured ones: a named statement is planned anew five times, and then once and for all. */
export const WARM_UP_CALLS = 8;
/** Longer than the gap between two enqueues that carry a NOTIFY, so that each of them does. */
const APART_MS = 4;

interface Measuring {
  readonly admin: pg.Client;
  readonly proxy: CountingProxy;
  readonly database: string;
  /** The measured calls. */
  readonly calls: number;
  readonly call: () => Promise<unknown>;
}

/** The figures of one call; `planningBuffers` is in `buffers` where the server was told to track planning. */
export type Counted = Readonly<Record<Exclude<FigureName, 'planningBuffers'>, number>>;

/** Calls as often as told, on a server where nothing else happens, and counts what one call cost. */
export async function measureCalls({ admin, proxy, database, calls, call }: Measuring): Promise<Counted> {
  const repeat = async (times: number): Promise<void> => {
    for (let index = 0; index < times; index++) {
      await pause(APART_MS);
      await call();
    }
  };
  await repeat(WARM_UP_CALLS);
  await forgetStatements(admin, database);
  const from = await readWalPosition(admin);
  const before = proxy.read();
  await repeat(calls);
  const after = proxy.read();
  const wal = await readWal(admin, from, await readWalPosition(admin));
  const statements = await readStatements(admin, database);
  const perCall = (total: number): number => Math.round((total / calls) * 100) / 100;
  return {
    roundTrips: perCall(after.roundTrips - before.roundTrips),
    bytesSent: perCall(after.bytes - before.bytes),
    statements: perCall(statements.sent),
    statementsInside: perCall(statements.inside),
    buffers: perCall(statements.buffers),
    walRecords: perCall(wal.records),
    walBytes: perCall(wal.bytes),
    rowVersions: perCall(wal.rowVersions),
    indexEntries: perCall(wal.indexEntries),
  };
}
