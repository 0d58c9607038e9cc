import type { PgClient } from '@duework/database';
import { runText } from '../../../kit/run-text.js';
import { fillFigures } from './fill-figures.js';
import { fillJobs } from './fill-jobs.js';
import { fillRest } from './fill-rest.js';
import { fillSchedules } from './fill-schedules.js';

/** Fills a migrated database with what a busy quarter leaves behind. */
export async function fillDatabase(db: PgClient): Promise<void> {
  await fillJobs(db);
  await fillSchedules(db);
  await fillFigures(db);
  await fillRest(db);
  // what autovacuum would have done by now
  await runText(db, 'VACUUM (ANALYZE)');
  await runText(db, 'CHECKPOINT');
}

/** The workers have just been seen. */
export const seeWorkers = (db: PgClient): Promise<void> =>
  runText(db, "UPDATE duework.worker_contracts SET seen_at = now() + interval '1 hour'");
