import { findDatabaseFault } from './problems/find-database-fault.js';

const MAX_RETRIES = 3;

/**
 * Calls `run` again, up to 3 times, when PostgreSQL chose it as the victim of a deadlock or a serialization failure. It
 * has to be one statement or one transaction, so that nothing of the failed try remains.
 */
export async function retryConflicts<T>(databaseUrl: string | undefined, run: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await run();
    } catch (error) {
      if (retries === MAX_RETRIES || findDatabaseFault(error, databaseUrl) !== 'busy') throw error;
    }
  }
}
