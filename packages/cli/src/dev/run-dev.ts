import { parseDatabaseUrl } from '@duework/database';
import { migrateDatabase } from '@duework/database/migrate';
import { startProjectPostgres, type ProjectPostgres } from '../database/start-project-postgres.js';
import { tellMigration } from '../migrate/tell-migration.js';
import { openProgressLine } from '../output/open-progress-line.js';
import { PlainError } from '../plain-error.js';
import { sayInstall } from '../project/install-command.js';
import type { CommandParts } from '../program-parts.js';
import { findProjectDir } from '../project/find-project-dir.js';
import { findConsole } from './find-console.js';
import { keepWorker } from './keep-worker.js';
import { watchSources } from './watch-sources.js';

type DevParts = Pick<
  CommandParts,
  'databaseUrl' | 'databaseWaitMs' | 'self' | 'onSignal' | 'write' | 'progress' | 'progressLook'
> & {
  /** The absolute path of the module of jobs. */
  readonly jobsFile: () => string;
};

/**
 * Runs a worker that starts again whenever a source file of the project changes, until a signal comes. Everything that it
 * has started has ended when it resolves.
 *
 * @throws PlainError `no_database`, `no_jobs_module`; DatabaseError when the database cannot be used
 */
export async function runDev(parts: DevParts): Promise<void> {
  const { databaseUrl, databaseWaitMs, jobsFile, self, onSignal, write } = parts;
  const file = jobsFile();
  const dir = findProjectDir(file);
  const stopping = new AbortController();
  let hurry = (): void => {};
  onSignal(() => {
    if (stopping.signal.aborted) hurry();
    stopping.abort();
  });
  const given = databaseUrl();
  const embedded = given === undefined ? await startEmbedded(dir, write) : undefined;
  try {
    const url = given ?? embedded!.url;
    write(embedded === undefined ? `PostgreSQL at ${parseDatabaseUrl(url).label}\n` : `DATABASE_URL=${url}\n`);
    const migrate = async (): Promise<void> => {
      const line = openProgressLine(parts, false);
      const { signal } = stopping;
      await migrateDatabase({ url, databaseWaitMs: databaseWaitMs(), signal, onProgress: tellMigration(line) })
        .catch((error: unknown) => signal.aborted || Promise.reject(error as Error))
        .finally(line.end);
    };
    await migrate();
    if (stopping.signal.aborted) return;
    const kept = { self, url, write };
    const worker = keepWorker({
      ...kept,
      name: 'worker',
      args: ['worker', '--lines', '--jobs', file],
      onReplaced: migrate,
    });
    hurry = worker.hurry;
    const args = await findConsole(dir, write);
    const console = args && keepWorker({ ...kept, name: 'console', args: [...args, '--jobs', file] });
    const watcher = await watchSources(dir, (path) => {
      write(`${path} has changed.\n`);
      worker.restart();
      console?.restart();
    });
    await new Promise<void>((resolve) => {
      if (stopping.signal.aborted) resolve();
      stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.all([watcher.close(), worker.stop(), console?.stop()]);
  } finally {
    await embedded?.stop();
  }
}

async function startEmbedded(dir: string, write: (text: string) => void): Promise<ProjectPostgres> {
  const started = await startProjectPostgres(dir, (line) => write(`${line}\n`));
  if (started !== undefined) return started;
  const install = sayInstall(dir, ['@duework/embedded'], { isDev: true });
  throw new PlainError(
    'no_database',
    `DATABASE_URL is not set, nor PGHOST and PGDATABASE. Set either, or install a PostgreSQL for development: ${install}`,
  );
}
