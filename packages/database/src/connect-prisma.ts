import { PrismaPg } from '@prisma/adapter-pg';
import type { ConnectOptions } from './connect-options.js';
import { PrismaClient } from './generated/client.js';
import { nameStatements } from './name-statements.js';
import { parseDatabaseUrl } from './parse-database-url.js';
import type { DatabaseRole } from './session-options.js';
import { toPoolConfig } from './to-pool-config.js';

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
export function connectPrisma({ role = 'app', ...options }: ConnectPrismaOptions): PrismaClient {
  const address = parseDatabaseUrl(options.url);
  const onLost = options.onConnectionLost ?? (() => {});
  const adapter = new PrismaPg(toPoolConfig(address, role, options), {
    onPoolError: onLost,
    onConnectionError: onLost,
    ...(role === 'engine' && !address.isPooled ? { statementNameGenerator: nameForAdapter() } : {}),
  });
  return new PrismaClient({ adapter, errorFormat: 'minimal', log: [] });
}

/** pg sends a query whose name is undefined as an unnamed statement, which the adapter's type does not say. */
function nameForAdapter(): (query: { readonly sql: string }) => string {
  const nameOf = nameStatements();
  return ({ sql }) => nameOf(sql) as string;
}
