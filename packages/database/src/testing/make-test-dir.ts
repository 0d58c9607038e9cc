import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Followed by the process that made the folder, so that the next run can tell which ones were left behind. */
export const testDirPrefix = `duework-test-${process.getuid?.() ?? 0}-`;

/** A temporary folder for the `data` of a server. For root the server runs as another user, who has to get in. */
export function makeTestDir(): string {
  const dir = mkdtempSync(join(tmpdir(), `${testDirPrefix}${process.pid}-`));
  chmodSync(dir, 0o755);
  return dir;
}
