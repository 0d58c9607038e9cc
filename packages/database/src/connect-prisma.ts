import { PrismaPg } from '@prisma/adapter-pg';
import { CONNECT_TIMEOUT_MS, type ConnectOptions } from './connect-options.js';
import { PrismaClient } from './generated/client.js';
import { parseDatabaseUrl } from './parse-database-url.js';
import { prismaPool } from './prisma-pool.js';
import type { DatabaseRole } from './session-options.js';

export interface ConnectPrismaOptions extends ConnectOptions {
  /** `engine`: the worker's claims and settlements, each planned once per connection, by its index. Default: `app`. */
  readonly role?: DatabaseRole;
}

/**
 * A Prisma client on a pool of its own, in UTC. It connects at its first use; `checkDatabase` says whether it can.
 *
 * With the role `engine`, for a worker's own statements, it plans and names them as `connectPg` does: each text is
 * planned once per connection, by its index whatever the statistics say; through a pooler in transaction mode, which
 * can do neither, it is planned every time.
 *
 * @throws DatabaseError `database_url_invalid`
 */
export function connectPrisma(options: ConnectPrismaOptions): PrismaClient {
  return openPrisma(options);
}

/** A client whose transactions may take `transactionMs`, Prisma's 5 s unless given. */
export function openPrisma({ role = 'app', ...options }: ConnectPrismaOptions, transactionMs?: number): PrismaClient {
  // throws for an address that cannot be read
  parseDatabaseUrl(options.url);
  const adapter = new PrismaPg(
    ...prismaPool(options.url, { applicationName: 'duework', poolSize: 10, ...options, role }),
  );
  const transactionOptions = {
    // Prisma would give up a transaction after 2 s without a connection, whatever the pool's own limit
    maxWait: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    ...(transactionMs === undefined ? {} : { timeout: transactionMs }),
  };
  return new PrismaClient({ adapter, errorFormat: 'minimal', log: [], transactionOptions });
}
