import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { findTestParentDir } from './test-server-env.js';

/**
 * Followed by the id of the process that made the folder, so that the next run can tell which ones were left behind.
 */
export const testDirPrefix = `duework-test-${process.getuid?.() ?? 0}-`;

/**
 * A temporary folder for the `data` of a server. When root runs the tests, the server's user must be able to enter it.
 */
export function makeTestDir(): string {
  const dir = mkdtempSync(join(findTestParentDir(), `${testDirPrefix}${process.pid}-`));
  chmodSync(dir, 0o755);
  return dir;
}
