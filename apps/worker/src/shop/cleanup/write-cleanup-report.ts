import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface CleanupReport {
  readonly day: string;
  readonly sessions: number;
  readonly files: number;
}

/**
 * Writes `cleanup-<day>.json` into `dir`: first under a name of this attempt's own, then renamed, so that nobody reads
 * half of it. The report is a temporary file like any other, and is deleted when it is old.
 */
export async function writeCleanupReport(dir: string, report: CleanupReport, attemptName: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  const temporary = join(dir, `.cleanup-${report.day}.${attemptName}.tmp`);
  await writeFile(temporary, `${JSON.stringify(report, null, 2)}\n`, { flush: true });
  await rename(temporary, join(dir, `cleanup-${report.day}.json`));
}
