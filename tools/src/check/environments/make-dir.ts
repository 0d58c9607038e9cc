import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that the users of servers may enter. */
export function makeDir(parent: string, name: string): string {
  const dir = join(parent, name);
  mkdirSync(dir);
  chmodSync(dir, 0o755);
  return dir;
}
