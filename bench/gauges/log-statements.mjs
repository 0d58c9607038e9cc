import { readFileSync, statSync } from 'node:fs';
import { queryOnce } from '../systems/query-once.mjs';

/**
 * Makes a database's sessions write each statement to the server's log, from their start on. The returned function counts
 * those since its last call. Sessions that are open already write nothing.
 */
export async function logStatements(url, log) {
  await queryOnce(
    url,
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET log_statement = ''all''', current_database()); END $$`,
  );
  let from = statSync(log).size;
  return function countStatements() {
    const text = readFileSync(log).subarray(from).toString();
    from = statSync(log).size;
    return (text.match(/LOG: {2}(statement:|execute )/g) ?? []).length;
  };
}
