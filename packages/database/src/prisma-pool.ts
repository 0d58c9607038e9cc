import type pg from 'pg';
import { readPgVariables } from './env.js';
import { nameStatements } from './name-statements.js';
import { parseDatabaseUrl } from './parse-database-url.js';
import type { DatabaseRole } from './session-options.js';
import { tellLost } from './tell-lost.js';
import { toPoolConfig } from './to-pool-config.js';
import type { ConnectOptions } from './connect-options.js';

/** The first argument of `new PrismaPg`, in types that need no package. */
export interface PrismaPoolConfig {
  readonly connectionString?: string;
  readonly options?: string;
  readonly application_name?: string;
  readonly max?: number;
  readonly connectionTimeoutMillis?: number;
  readonly idleTimeoutMillis?: number;
  readonly keepAlive?: boolean;
  /** A class of `pg`. */
  readonly Client?: never;
}

/** The second one. */
export interface PrismaPoolOptions {
  readonly onPoolError?: (error: Error) => void;
  readonly onConnectionError?: (error: Error) => void;
  readonly statementNameGenerator?: (query: { readonly sql: string }) => string;
}

/** The arguments of `new PrismaPg`. */
export type PrismaPool = [PrismaPoolConfig, PrismaPoolOptions];

/** How many statements of its own a worker has on their way at once. */
const WORKER_POOL = 4;

/**
 * Arguments of `new PrismaPg(...)` for a worker's client: four connections, apart from those of handlers, in UTC, with
 * named statements that are planned by their index. A lost connection does not end the process.
 *
 *     const prisma = new PrismaClient({ adapter: new PrismaPg(...prismaPool(process.env.DATABASE_URL)) });
 *
 * The default address is that of `PGHOST` and its siblings. The worker reports a missing or wrong one.
 */
export function prismaPool(
  url: string | undefined,
  options: Omit<ConnectOptions, 'url'> & { readonly role?: DatabaseRole } = {},
): PrismaPool {
  const place = url || readPgVariables();
  if (!isReadable(place)) return [{}, {}];
  const { role = 'engine' } = options;
  const onLost = tellLost(options.onConnectionLost);
  const address = parseDatabaseUrl(place);
  const worker = { poolSize: WORKER_POOL, applicationName: 'duework-worker-engine', url: place };
  const config: pg.PoolConfig = toPoolConfig(address, role, { ...worker, ...options });
  return [
    config as PrismaPoolConfig,
    {
      onPoolError: onLost,
      onConnectionError: onLost,
      ...(role === 'engine' && !address.isPooled ? { statementNameGenerator: nameForAdapter() } : {}),
    },
  ];
}

function isReadable(url: string | undefined): url is string {
  try {
    parseDatabaseUrl(url);
    return true;
  } catch {
    return false;
  }
}

/** pg sends a query whose name is undefined as an unnamed statement, which the adapter's type does not say. */
function nameForAdapter(): (query: { readonly sql: string }) => string {
  const nameOf = nameStatements();
  return ({ sql }) => nameOf(sql) as string;
}
