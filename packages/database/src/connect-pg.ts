import { isOwnType, ownTypes } from '@duework/sql';
import pg from 'pg';
import type { ConnectOptions } from './connect-options.js';
import { nameStatements } from './name-statements.js';
import { parseDatabaseUrl } from './parse-database-url.js';
import type { RawQueryable, RawStatement } from './raw-queryable.js';
import type { DatabaseRole } from './session-options.js';
import { tellLost } from './tell-lost.js';
import { toPoolConfig } from './to-pool-config.js';

/**
 * The part of a Prisma client that raw statements need; values are Prisma's: a bigint for an int8, a Date for a
 * timestamptz.
 */
export interface PgClient extends RawQueryable {
  /** Rolls back when `run` throws, or takes longer than `timeout` ms (5,000 unless given), and then throws. */
  $transaction<T>(run: (tx: RawQueryable) => Promise<T>, options?: { readonly timeout?: number }): Promise<T>;
  $connect(): Promise<void>;
  $disconnect(): Promise<void>;
}

/** The transaction that `run` gets. */
interface PgTransaction extends RawQueryable {
  /** The client whose transaction it is: a cache that is kept per database uses the client as its key. */
  readonly $client: PgClient;
}

export interface ConnectPgOptions extends ConnectOptions {
  /** `app`: statements are planned as PostgreSQL likes, for whatever is not frequent. Default: `engine`. */
  readonly role?: DatabaseRole;
}

const TRANSACTION_MS = 5_000;

type Oid = Parameters<typeof pg.types.getTypeParser>[0];

/** The values of our statements are read in our way, those of another one as `pg` reads them. */
const types = {
  getTypeParser: (oid: Oid): unknown => (isOwnType(oid) ? ownTypes : pg.types).getTypeParser(oid as never),
} as pg.CustomTypesConfig;

/**
 * Sends the queue's own statements straight through `pg`, on a pool of its own, in UTC: for a worker's claims and
 * settlements, and for a producer that enqueues much outside of transactions. A statement takes half the time that it
 * takes through a Prisma client. Each text is planned once per connection, by its index whatever the statistics say;
 * through a pooler in transaction mode, which can do neither, it is planned every time.
 *
 * It connects at its first use; `checkDatabase` says whether it can.
 *
 * @throws DatabaseError `database_url_invalid`
 */
export function connectPg({ role = 'engine', ...options }: ConnectPgOptions): PgClient {
  const address = parseDatabaseUrl(options.url);
  const pool = new pg.Pool({ ...toPoolConfig(address, role, options), types });
  pool.on('error', tellLost(options.onConnectionLost));
  let ended: Promise<void> | null = null;
  const nameOf = address.isPooled ? () => undefined : nameStatements();
  const queryOn =
    (client: pg.PoolClient) =>
    async <T>({ text, values }: RawStatement) =>
      (await client.query({ name: nameOf(text), text, values: [...values] })).rows as T;
  const self: PgClient = {
    async $queryRaw<T>(statement: RawStatement) {
      // a pool's own `query` sends what has waited in the async context of whoever gave the connection back: in its trace
      const client = await pool.connect();
      try {
        const rows = await queryOn(client)<T>(statement);
        client.release();
        return rows;
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
    $transaction: (run, { timeout = TRANSACTION_MS } = {}) =>
      inTransaction(pool, timeout, (client) => {
        const tx: PgTransaction = { $queryRaw: queryOn(client), $client: self };
        return run(tx);
      }),
    $connect: async () => (await pool.connect()).release(),
    $disconnect: () => (ended ??= pool.end()),
  };
  return self;
}

/**
 * Closes a connection that may still be in its transaction, so that the server rolls back. The server does so when it
 * next reads from the client, which a statement that waits for a lock does not: so each statement has a limit in the
 * server, too.
 */
async function inTransaction<T>(
  pool: pg.Pool,
  timeoutMs: number,
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const begunMs = performance.now();
  let isGivenUp = false;
  const timer = setTimeout(() => {
    isGivenUp = true;
    client.release(true);
  }, timeoutMs);
  try {
    await client.query(`BEGIN; SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}`);
    const result = await run(client);
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT')
      throw new Error('The transaction was rolled back, because one of its statements had failed.');
    client.release();
    return result;
  } catch (error) {
    if (!isGivenUp) client.release(true);
    // the server may have ended the transaction first
    const isLate = isGivenUp || performance.now() - begunMs >= timeoutMs;
    throw isLate ? new Error(`The transaction took longer than ${timeoutMs} ms.`, { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}
