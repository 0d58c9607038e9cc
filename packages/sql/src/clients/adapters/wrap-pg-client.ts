import type { Theirs } from '../../statement/theirs.js';
import type { PgClient } from '../../statement/queryable.js';
import { ownTypes } from '../../values/own-types.js';
import { adapt, type AdaptedClient, type ClientParts } from './adapted-client.js';
import { keepAdapted } from './keep-adapted.js';

interface PgPool {
  connect(): Promise<PgSession & { release(isBroken?: boolean): void }>;
}

/** What is looked at of a client of `pg` beside `query`; older ones do not tell the status. */
interface PgSession {
  query(text: string, values?: Theirs[]): Promise<{ rows: Theirs[]; command?: string }>;
  /** `I`: no transaction is open. */
  getTransactionStatus?(): string | null;
  readonly host?: unknown;
  readonly port?: unknown;
  readonly database?: unknown;
}

/** Whether a value is a client or a pool of `pg`, or of a package that does as it does. */
export function isPgClient(value: unknown): value is PgClient {
  const { query, escapeIdentifier, totalCount } = (value ?? {}) as Record<string, unknown>;
  return typeof query === 'function' && (typeof escapeIdentifier === 'function' || typeof totalCount === 'number');
}

/**
 * A client or a pool as it is. A pool commits each statement by itself. A client is one session: whether its owner has
 * begun a transaction on it is not asked, because either may be meant.
 */
export const wrapPgClient = keepAdapted((client: PgClient): AdaptedClient => {
  const send = sendThrough(client);
  if (!isPool(client)) return adapt({ send, isTransaction: null, ...sessionOf(client) });
  return adapt({ send, isTransaction: false, $client: client, $transaction: (run) => runInTransaction(client, run) });
});

/** A client on which its owner has begun a transaction, and says so: what comes after its end is refused. */
export function wrapPgTransaction(client: PgClient): AdaptedClient {
  return adapt({ send: sendThrough(client), isTransaction: true, isSealed: true, ...sessionOf(client) });
}

export function isPool(client: PgClient): client is PgClient & PgPool {
  return 'totalCount' in client;
}

/** What a client is asked for: its own types say no more than `query(text, values)`. */
interface PgSender {
  query(statement: { text: string; values: readonly unknown[]; types: object }): Promise<{ rows: unknown[] }>;
}

function sendThrough(client: PgClient): ClientParts['send'] {
  const sender = client as unknown as PgSender;
  return async ({ text, values }) => (await sender.query({ text, values, types: ownTypes })).rows;
}

const databases = new Map<string, object>();

/** All sessions of one database share an object. */
function sessionOf(client: object): Pick<ClientParts, '$client' | 'isOpen'> {
  const session = client as PgSession;
  const name = `${String(session.host)}:${String(session.port)}/${String(session.database)}`;
  let database = databases.get(name);
  if (database === undefined) databases.set(name, (database = {}));
  return { $client: database, isOpen: () => session.getTransactionStatus?.() !== 'I' };
}

async function runInTransaction<T>(pool: PgPool, run: (tx: AdaptedClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await run(wrapPgTransaction(client as PgClient & typeof client));
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: one of its statements had failed.');
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
