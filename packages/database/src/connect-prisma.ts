import { PrismaPg } from '@prisma/adapter-pg';
import type { ConnectOptions } from './connect-options.js';
import { PrismaClient } from './generated/client.js';
import { parseDatabaseUrl } from './parse-database-url.js';
import { toPoolConfig } from './to-pool-config.js';

/**
 * A Prisma client on a pool of its own, in UTC. It connects when it is first used; `checkDatabase` says whether it can.
 *
 * @throws DatabaseError `database_url_invalid`
 */
export function connectPrisma(options: ConnectOptions): PrismaClient {
  const onLost = options.onConnectionLost ?? (() => {});
  const adapter = new PrismaPg(toPoolConfig(parseDatabaseUrl(options.url), 'app', options), {
    onPoolError: onLost,
    onConnectionError: onLost,
  });
  return new PrismaClient({ adapter, errorFormat: 'minimal', log: [] });
}
