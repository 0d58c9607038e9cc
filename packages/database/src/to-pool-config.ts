import type { PoolConfig } from 'pg';
import { CONNECT_TIMEOUT_MS, type ConnectOptions } from './connect-options.js';
import { clientClass } from './hosts/client-class.js';
import type { DatabaseAddress } from './parse-database-url.js';
import { tellLost } from './tell-lost.js';
import { sessionOptions, type DatabaseRole } from './session-options.js';

/**
 * The options of every pool of connections in this workspace.
 *
 * A session that is not UTC makes Prisma's adapter read and write every timestamptz wrong by the offset, so UTC is part of the
 * connection and not of the server's configuration. A lost connection is an event and never an uncaught 'error': a restart
 * of the database must not end the process.
 */
export function toPoolConfig(address: DatabaseAddress, role: DatabaseRole, options: ConnectOptions): PoolConfig {
  return {
    connectionString: address.url,
    options: sessionOptions(address, role, options),
    application_name: options.applicationName ?? 'duework',
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    Client: clientClass(address, tellLost(options.onConnectionLost)),
  };
}
