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
 * What roles and databases may have set for their own programs, and would make a value another one. The URL's own
 * come later, and win.
 */
const ownValues = '-c array_nulls=on -c extra_float_digits=1';

/** The same, of what would stop a worker. */
const ownDefaults =
  '-c default_transaction_isolation=read\\ committed -c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0 -c idle_session_timeout=0';

/**
 * The `options` of a new session, but for its zone, which every client sends by its name. The last setting wins. A pooler in
 * transaction mode, and a proxy such as that of RDS, take no options, so through one there are none but the URL's own.
 */
export function sessionOptions(
  address: DatabaseAddress,
  role: DatabaseRole,
  { statementTimeoutMs }: Pick<ConnectOptions, 'statementTimeoutMs'> = {},
): string {
  if (address.isPooled) return address.options;
  const parts =
    role === 'engine' ? [ownValues, ownDefaults, address.options, enginePlans] : [ownValues, address.options];
  if (statementTimeoutMs !== undefined) parts.push(`-c statement_timeout=${Math.ceil(statementTimeoutMs)}`);
  return parts.filter((part) => part !== '').join(' ');
}
