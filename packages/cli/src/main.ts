#!/usr/bin/env node
/**
 * The command line. Exit codes: 0 done; 1 refused, wrong arguments, a database that cannot be used or (`status`) is not
 * migrated, with one readable line. `worker` has those of `runWorker`.
 */
import { fileURLToPath } from 'node:url';
import { checkDatabase, connectPg, type PgClient } from '@duework/database';
import { setKeyRing } from '@duework/queue-core';
import { readClock } from './clock.js';
import { createProgram } from './create-program.js';
import { requireDatabaseUrl } from './database/require-database-url.js';
import { loadEnvFile, readDatabaseUrl, readKeyRing } from './env.js';
import { ignoreClosedOutput } from './output/ignore-closed-output.js';
import { findJobsModule } from './project/find-jobs-module.js';
import { loadJobs } from './project/load-jobs.js';
import { readVersion } from './project/read-version.js';
import { tellError } from './tell-error.js';

const self = fileURLToPath(import.meta.url);
let client: PgClient | undefined;
let databaseUrl: string | undefined;

async function connect(): Promise<PgClient> {
  if (client !== undefined) return client;
  databaseUrl = requireDatabaseUrl(readDatabaseUrl());
  client = connectPg({ url: databaseUrl, poolSize: 2, applicationName: 'duework-cli' });
  await checkDatabase(client, databaseUrl);
  return client;
}

ignoreClosedOutput(process.stdout);
try {
  loadEnvFile(process.cwd());
  setKeyRing(readKeyRing());
  const program = createProgram({
    db: connect,
    databaseUrl: readDatabaseUrl,
    cwd: process.cwd(),
    self,
    version: readVersion(self),
    exitWith: (code) => (process.exitCode = code),
    onSignal: (listen) => ['SIGINT', 'SIGTERM'].forEach((signal) => process.on(signal, listen)),
    findJobs: (given) => findJobsModule(given, process.cwd()),
    loadJobs,
    write: (text) => void process.stdout.write(text),
    progress: (text) => void process.stderr.write(text),
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
