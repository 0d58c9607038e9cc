import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The URL of the embedded PostgreSQL that runs for this folder, or for one above it, because `duework dev` does; undefined:
 * none runs. `@duework/embedded` writes the URL beside the data, where only the user who started it reads it.
 */
export function findRunningDatabase(cwd: string): string | undefined {
  for (let dir = cwd; ; dir = dirname(dir)) {
    const data = join(dir, '.duework/postgres');
    if (existsSync(`${data}.url`)) return isRunning(data) ? readFileSync(`${data}.url`, 'utf8').trim() : undefined;
    if (dir === dirname(dir)) return undefined;
  }
}

/** postmaster.pid names the process of a server in its first line, and is removed when that stops. */
function isRunning(data: string): boolean {
  try {
    process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 0);
    return true;
  } catch (error) {
    // the server's user may be another one, as root has it
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
