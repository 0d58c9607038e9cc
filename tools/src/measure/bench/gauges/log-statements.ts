import { readFileSync, statSync } from 'node:fs';
import { queryOnce } from '../systems/query-once.js';

const TURN_ON = `
  DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET log_statement = ''all''', current_database());
  END $$`;

/**
 * Makes the new sessions of a database write each statement to the server's log; sessions that are open already write
 * nothing. The returned function counts the statements since its last call.
 *
 * @param log the server's log file
 */
export async function logStatements(url: string, log: string): Promise<() => Promise<number>> {
  await queryOnce(url, TURN_ON);
  let from = statSync(log).size;
  return async function countStatements() {
    const text = readFileSync(log).subarray(from).toString();
    from = statSync(log).size;
    return (text.match(/LOG: {2}(statement:|execute )/g) ?? []).length;
  };
}
