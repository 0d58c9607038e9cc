import type { cleanupNightly } from '@duework/shop';
import { complete, type Handler } from '@duework/queue-core';
import type { AttemptDatabase } from '../../bind-database.js';
import { deleteOldFiles } from '../cleanup/delete-old-files.js';
import { writeCleanupReport } from '../cleanup/write-cleanup-report.js';
import { deleteExpiredSessions } from '../sql/delete-expired-sessions.js';

/** Small enough that no statement holds its locks for long. */
const BATCH = 1_000;
const HOUR_MS = 3_600_000;

export interface CleanupOptions {
  readonly tempDir: string;
  readonly maxFileAgeHours: number;
  readonly now: () => Date;
}

/**
 * Deletes expired sessions and old temporary files, and writes a report of the day. An abort may come at any step: the
 * next attempt deletes what is left, and counts only what it deletes itself.
 */
export function createCleanupNightly({
  tempDir,
  maxFileAgeHours,
  now,
}: CleanupOptions): Handler<typeof cleanupNightly, AttemptDatabase> {
  return async ({ payload: { day }, run, fence, signal, transaction }) => {
    let sessions = 0;
    let batch: number;
    do {
      signal.throwIfAborted();
      batch = await transaction((tx) => deleteExpiredSessions(tx, BATCH));
      sessions += batch;
    } while (batch === BATCH);
    const before = new Date(now().getTime() - maxFileAgeHours * HOUR_MS);
    const files = await deleteOldFiles(tempDir, before, signal);
    signal.throwIfAborted();
    await writeCleanupReport(tempDir, { day, sessions, files }, `${run.id}-${fence}`);
    return complete({ sessions, files });
  };
}
