import { readdirSync, readFileSync } from 'node:fs';

/**
 * Kills every process whose command line has this path in it, and the process group that it leads: processes that
 * Ctrl-C does not end, because they have a session of their own or their parent was killed. Linux only; elsewhere it
 * does nothing.
 *
 * @param path of a folder that only this run has
 * @param exceptPid is not killed
 */
export function endProcessesAbout(path: string, exceptPid?: number): void {
  if (process.platform !== 'linux') return;
  for (const id of readdirSync('/proc')) {
    const pid = Number(id);
    if (!(pid > 0) || pid === exceptPid || pid === process.pid || !isAbout(id, path)) continue;
    for (const target of [pid, -pid]) {
      try {
        process.kill(target, 'SIGKILL');
      } catch {
        // the process has ended, or leads no group
      }
    }
  }
}

function isAbout(id: string, path: string): boolean {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(path);
  } catch {
    // the process has just ended
    return false;
  }
}
