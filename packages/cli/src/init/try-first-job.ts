import type { Job } from '@duework/queue-core';
import { migrateDatabase } from '@duework/database/migrate';
import { startProjectPostgres } from '../database/start-project-postgres.js';
import { tellMigration } from '../migrate/tell-migration.js';
import { PlainError } from '../plain-error.js';
import type { InitParts } from './init-parts.js';
import { runFirstJob } from './run-first-job.js';

/**
 * Migrates the project's database and runs one job with the project's own handler; returns what was seen, in one line.
 * The database is that of DATABASE_URL, or the embedded one, which is stopped again.
 *
 * @throws DatabaseError when the database cannot be used; PlainError as `runFirstJob`
 */
export async function tryFirstJob(parts: InitParts, dir: string, jobsFile: string): Promise<string> {
  const { line } = parts;
  const given = parts.databaseUrl(dir);
  const embedded = given === undefined ? await startProjectPostgres(dir, line.step) : undefined;
  const url = given ?? embedded?.url;
  if (url === undefined)
    return 'No job was run: DATABASE_URL is not set, and @duework/embedded is not installed. Do either, and run init again.';
  try {
    const jobs = await parts.load(jobsFile).catch((error: unknown) => {
      if (error instanceof PlainError) return error;
      throw error;
    });
    if (jobs instanceof PlainError) return `No job was run: ${jobs.message}`;
    await migrateDatabase({ url, databaseWaitMs: 0, onProgress: tellMigration(line) });
    line.step('Running a first job …');
    const job = await runFirstJob(url, jobs);
    return job === undefined ? 'No job was run: the jobs are your own by now.' : showJob(job);
  } finally {
    await embedded?.stop();
  }
}

function showJob({ id, type, status, payload, result, lastError }: Job): string {
  const ending = status === 'succeeded' ? `its result is ${JSON.stringify(result)}` : (lastError ?? 'look at it again');
  return `Job ${id}, ${type} ${JSON.stringify(payload)}, has ${status === 'succeeded' ? 'succeeded' : `become ${status}`}: ${ending}.`;
}
