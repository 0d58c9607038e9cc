import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopEmbeddedPostgresNow } from '@duework/embedded';
import { isAlive } from '../data-dirs.js';
import { endProcessesAbout } from '../end-processes-about.js';

/** The process id of the server that runs on a data folder; undefined: none does. */
export function readPostgresPid(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return pid > 0 && isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stops the server that runs on a data folder at once, or the program that was about to start it, and returns when it
 * has ended; for exit handlers, which cannot wait for events. The next start recovers.
 */
export function stopPostgresNow(dataDir: string): void {
  // initdb, pg_ctl, and a server that has not written its process id yet
  endProcessesAbout(dataDir, readPostgresPid(dataDir));
  stopEmbeddedPostgresNow({ dataDir });
}
