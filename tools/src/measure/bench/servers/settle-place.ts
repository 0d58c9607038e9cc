import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { queryOnce } from '../systems/query-once.js';
import type { Place } from './make-place.js';

const execFileAsync = promisify(execFile);

const QUIET_MS = 300;

/**
 * Waits until the loaded rows are written and analysed, so that neither is measured. What the operating system writes
 * in the background, such as copies of databases, is written as well, because each commit takes longer meanwhile. A
 * quick run leaves that out.
 */
export async function settlePlace(place: Place, { isQuick }: { readonly isQuick: boolean }): Promise<void> {
  if (place.serverPid === undefined) await queryOnce(place.url, 'VACUUM (ANALYZE)', ...(isQuick ? [] : ['CHECKPOINT']));
  if (isQuick) return;
  // Windows has no such program
  await execFileAsync('sync').catch(() => {});
  await pause(QUIET_MS);
}
