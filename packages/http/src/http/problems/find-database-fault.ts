import { describeDatabaseError } from '@duework/database';

type Loose = {
  readonly code?: unknown;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly kind?: unknown } } };
};

const AWAY = new Set(['database_unreachable', 'database_auth_failed', 'database_not_found']);

/**
 * What an error says about the database: `busy` (a deadlock, a serialization failure: the same statement may succeed
 * now), `away` (it does not answer, or gave no connection in time), or null: nothing.
 */
export function findDatabaseFault(error: unknown, databaseUrl: string | undefined): 'busy' | 'away' | null {
  if (!(error instanceof Error)) return null;
  const { code, meta } = error as Loose;
  // Raw queries keep their P2010, whatever PostgreSQL said.
  if (code === 'P2034' || meta?.driverAdapterError?.cause?.kind === 'TransactionWriteConflict') return 'busy';
  // P2028: no connection for a transaction, or it lasted too long. The second: the pool's error for a connection that
  // broke.
  if (code === 'P2028' || error.message.includes('is not queryable')) return 'away';
  // The pool throws plain errors; a TypeError is a mistake in our code, whatever it says.
  const isDriverError =
    error.name === 'Error' || error.name.startsWith('Prisma') || error.name === 'DriverAdapterError';
  return isDriverError && AWAY.has(describeDatabaseError(error, databaseUrl).code) ? 'away' : null;
}
