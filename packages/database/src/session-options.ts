import type { ConnectOptions } from './connect-options.js';
import type { DatabaseAddress } from './parse-database-url.js';

/** The use of a connection: the worker's frequent statements, or everything else. */
export type DatabaseRole = 'engine' | 'app';

/**
 * A statement planned while the queue was small kept its sequential scan when the queue had grown (pickup p50 3.0 ms
 * instead of 0.43). The frequent statements have one good plan each, through an index, and these settings allow no
 * other.
 */
const enginePlans = '-c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';

/**
 * The `options` of a new session. The last setting wins, so the URL's own come first. A pooler in transaction mode
 * refuses settings it cannot track, so the planner is not changed through one.
 */
export function sessionOptions(
  address: DatabaseAddress,
  role: DatabaseRole,
  { statementTimeoutMs }: Pick<ConnectOptions, 'statementTimeoutMs'> = {},
): string {
  const parts = [address.options, '-c TimeZone=UTC'];
  if (role === 'engine' && !address.isPooled) parts.push(enginePlans);
  if (statementTimeoutMs !== undefined && !address.isPooled)
    parts.push(`-c statement_timeout=${Math.ceil(statementTimeoutMs)}`);
  return parts.filter((part) => part !== '').join(' ');
}
