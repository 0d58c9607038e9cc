/**
 * A PostgreSQL server for the first minute and for tests: no installation, no Docker.
 *
 * pg_ctl starts it in a session of its own: Ctrl-C in the terminal ends the program that started it and not the server,
 * so the workers can still release their jobs. It listens on 127.0.0.1 only and asks for a password that is made with
 * the data and kept beside it.
 */
import { dirname, resolve } from 'node:path';
import pg from 'pg';
import { checkDataDir, ensureParentDir } from './check-data-dir.js';
import { chooseRunAs } from './choose-run-as.js';
import { databaseUrl } from './database-url.js';
import { findBinaries } from './find-binaries.js';
import { findRunningServer } from './find-running-server.js';
import { initDataDir, readPassword, writeSecret } from './init-data-dir.js';
import { launchServer } from './launch-server.js';
import { stopEmbeddedPostgres, stopEmbeddedPostgresNow } from './stop-embedded-postgres.js';

export interface StartEmbeddedPostgresOptions {
  /** Made when it does not exist. */
  readonly dataDir: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Created when it does not exist. Default: `postgres`, which always does. */
  readonly database?: string;
  /** Server settings, for example `{ fsync: 'off' }` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with a line for each step. */
  readonly onProgress?: (message: string) => void;
  /** The folder with bin/ and lib/ of another PostgreSQL. Default: the installed `embedded-postgres`. */
  readonly nativeDir?: string;
}

export interface EmbeddedPostgres {
  readonly url: string;
  readonly port: number;
  /** Whether it already ran, because the program that started it was killed. */
  readonly isReused: boolean;
  /** Ends every connection, writes everything and stops. A second call does nothing. */
  stop(): Promise<void>;
  /** Stops at once and returns when that is done; for exit handlers. The next start recovers. */
  stopNow(): void;
}

/**
 * Starts a PostgreSQL of its own in a folder, for development and tests, and returns its URL and how to stop it. One that
 * runs there already is used.
 *
 * @throws DatabaseError, one line with its fix
 */
export async function startEmbeddedPostgres(options: StartEmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const onProgress = options.onProgress ?? (() => {});
  const binaries = findBinaries(options.nativeDir);
  ensureParentDir(dataDir);
  const runAs = chooseRunAs(binaries.postgres, dirname(dataDir));

  if (!(await checkDataDir(binaries, runAs, dataDir))) {
    onProgress(`Creating a PostgreSQL database in ${dataDir} …`);
    await initDataDir({ binaries, runAs, dataDir, isDurable: options.settings?.['fsync'] !== 'off' });
  }
  const running = await findRunningServer(dataDir);
  if (running !== undefined) onProgress(`PostgreSQL is still running on port ${running}; using it.`);
  const port =
    running ?? (await launchServer({ binaries, runAs, dataDir, port: options.port, settings: options.settings ?? {} }));

  const password = readPassword(dataDir);
  const database = options.database ?? 'postgres';
  await ensureDatabase(databaseUrl(port, password, 'postgres'), database);
  writeSecret(`${dataDir}.url`, databaseUrl(port, password, database));
  let stopping: Promise<void> | undefined;
  return {
    url: databaseUrl(port, password, database),
    port,
    isReused: running !== undefined,
    stop: () => (stopping ??= stopEmbeddedPostgres({ dataDir, nativeDir: options.nativeDir })),
    stopNow: () => stopEmbeddedPostgresNow({ dataDir, nativeDir: options.nativeDir }),
  };
}

/** Creates the database when it is not there. */
async function ensureDatabase(serverUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
