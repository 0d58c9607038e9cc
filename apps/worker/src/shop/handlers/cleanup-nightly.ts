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
 * Deletes expired sessions and old temporary files, and leaves a report of the day. Each step may stop anywhere: what is
 * left is deleted by the next attempt, whose counts are its own.
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
