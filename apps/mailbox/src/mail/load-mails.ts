import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { MailEntry } from './mail.js';
import { parseMail } from './parse-mail.js';

/** Files read at the same time; decoding is on one thread, so more would only hold memory. */
const READERS = 16;
/** Another mailbox on the same folder may be writing a younger one right now. */
const LEFTOVER_AGE_MS = 3_600_000;

/**
 * Reads what the index needs of every mail in the folder, oldest first. A file that is no mail is logged and skipped:
 * one broken file must not hide the others. Temporary files that a crash left an hour ago or earlier are removed.
 */
export async function loadMails(dir: string, log: Logger, now: Date): Promise<readonly MailEntry[]> {
  const names = await readdir(dir);
  const ids = names.filter((name) => name.endsWith('.eml')).map((name) => name.slice(0, -'.eml'.length));
  const entries: MailEntry[] = [];
  const rest = ids.sort().values();
  const readRest = async (): Promise<void> => {
    for (const id of rest) {
      try {
        entries.push((await parseMail(id, await readFile(join(dir, `${id}.eml`)))).entry);
      } catch (error) {
        log.warn({ file: `${id}.eml`, reason: (error as Error).message }, 'mail.skipped');
      }
    }
  };
  await Promise.all(Array.from({ length: READERS }, readRest));
  await removeLeftovers(dir, names, now);
  return entries.sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function removeLeftovers(dir: string, names: readonly string[], now: Date): Promise<void> {
  for (const name of names.filter((candidate) => candidate.endsWith('.tmp'))) {
    const path = join(dir, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (now.getTime() - mtimeMs > LEFTOVER_AGE_MS) await rm(path, { force: true });
  }
}
