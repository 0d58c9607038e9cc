import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** /tmp may be in memory, where fsync costs nothing; /var/tmp is meant to be on a disk. */
const parent = existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
const prefixOf = (purpose: string): string => `duework-${purpose}-${process.getuid?.() ?? 0}-`;

/** A folder for the data of this run's servers. When root runs the tool, PostgreSQL's user must be able to enter it. */
export function makeDataDir(purpose: string): string {
  const dir = mkdtempSync(join(parent, `${prefixOf(purpose)}${process.pid}-`));
  chmodSync(dir, 0o755);
  return dir;
}

/** The folders that killed runs have left behind. */
export function findLeftovers(purpose: string): string[] {
  const prefix = prefixOf(purpose);
  return readdirSync(parent)
    .filter((name) => name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length).split('-')[0])))
    .map((name) => join(parent, name));
}

/**
 * Ends the program that was started in the folder `dir` and wrote its id there, if that id is still its own. Linux
 * only.
 */
export function endLeftover(dir: string, pidFile: string): void {
  try {
    const pid = Number(readFileSync(join(dir, pidFile), 'utf8'));
    if (readlinkSync(`/proc/${pid}/cwd`) === dir) process.kill(pid, 'SIGKILL');
  } catch {
    // the program has ended
  }
}

/** Whether a process has this id and has not ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Removes a folder with its content; a missing folder is no error. */
export const removeDir = (dir: string): void => rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
