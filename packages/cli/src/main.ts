#!/usr/bin/env node
/**
 * The command line. Exit codes: 0 done; 1 refused, or the database cannot be used, with one readable line; commander's
 * own for wrong arguments.
 */
import { checkDatabase, connectPg, type PgClient } from '@duework/database';
import { readClock } from './clock.js';
import { createProgram } from './create-program.js';
import { loadEnvFile, readDatabaseUrl } from './env.js';
import { ignoreClosedOutput } from './output/ignore-closed-output.js';
import { PlainError } from './plain-error.js';
import { findJobsModule } from './project/find-jobs-module.js';
import { loadJobs } from './project/load-jobs.js';
import { tellError } from './tell-error.js';

let client: PgClient | undefined;
let databaseUrl: string | undefined;

async function connect(): Promise<PgClient> {
  if (client !== undefined) return client;
  databaseUrl = readDatabaseUrl();
  if (databaseUrl === undefined)
    throw new PlainError(
      'database_url_invalid',
      'DATABASE_URL is not set. Set it, or put it into .env: DATABASE_URL=postgres://USER:PASSWORD@HOST:5432/DATABASE',
    );
  client = connectPg({ url: databaseUrl, poolSize: 2, applicationName: 'duework-cli' });
  await checkDatabase(client, databaseUrl);
  return client;
}

ignoreClosedOutput(process.stdout);
try {
  loadEnvFile(process.cwd());
  const program = createProgram({
    db: connect,
    databaseUrl: readDatabaseUrl,
    cwd: process.cwd(),
    jobs: (given) => loadJobs(findJobsModule(given, process.cwd())),
    write: (text) => void process.stdout.write(text),
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    now: readClock,
  });
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${tellError(error, databaseUrl)}\n`);
  process.exitCode = 1;
} finally {
  await client?.$disconnect();
}
