import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { queryOnce } from '../systems/query-once.js';
import type { Place } from './make-place.js';

const execFileAsync = promisify(execFile);

const QUIET_MS = 300;

/**
 * What was just loaded is written and known to the planner, so that it is not measured. What the operating system writes by
 * and by, such as copies of databases, is written as well: beside it the disk takes longer for each commit. A quick run
 * leaves that out.
 */
export async function settlePlace(place: Place, { isQuick }: { readonly isQuick: boolean }): Promise<void> {
  if (place.serverPid === undefined) await queryOnce(place.url, 'VACUUM (ANALYZE)', ...(isQuick ? [] : ['CHECKPOINT']));
  if (isQuick) return;
  // Windows has no such program
  await execFileAsync('sync').catch(() => {});
  await pause(QUIET_MS);
}
