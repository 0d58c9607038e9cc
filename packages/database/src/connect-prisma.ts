/**
 * The one way this workspace opens a database.
 *
 * A session that is not UTC makes the driver adapter read and write every timestamptz wrong by the offset, so UTC is
 * part of the connection and not of the server's configuration. A lost connection is an event and never an uncaught
 * 'error': a restart of the database must not end the process.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';
import { nameStatements } from './name-statements.js';
import { parseDatabaseUrl } from './parse-database-url.js';
import { quietClient } from './quiet-client.js';
import { sessionOptions, type DatabaseRole } from './session-options.js';

export interface ConnectPrismaOptions {
  readonly url: string;
  /** `engine`: the worker's claims and settlements, whose plans must not follow the statistics. Default: `app`. */
  readonly role?: DatabaseRole;
  /** Connections at most. Default: 10. */
  readonly poolSize?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  /** How long to wait for a connection, new or from the pool. Default: 5,000 ms. */
  readonly connectTimeoutMs?: number;
  /** Told about every connection that broke; the pool replaces it by itself. */
  readonly onConnectionLost?: (error: Error) => void;
}

/**
 * A Prisma client on a pool of its own, in UTC. It connects when it is first used; `checkDatabase` says whether it can.
 *
 * @throws DatabaseError `database_url_invalid`
 */
export function connectPrisma(options: ConnectPrismaOptions): PrismaClient {
  const address = parseDatabaseUrl(options.url);
  const role = options.role ?? 'app';
  const onLost = options.onConnectionLost ?? (() => {});
  const adapter = new PrismaPg(
    {
      connectionString: address.url,
      options: sessionOptions(address, role),
      application_name: options.applicationName ?? 'duework',
      max: options.poolSize ?? 10,
      connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      Client: quietClient(onLost),
    },
    {
      onPoolError: onLost,
      onConnectionError: onLost,
      ...(role === 'engine' && !address.isPooled ? { statementNameGenerator: nameStatements() } : {}),
    },
  );
  return new PrismaClient({ adapter, errorFormat: 'minimal', log: [] });
}
