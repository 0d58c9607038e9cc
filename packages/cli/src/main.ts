#!/usr/bin/env node
/**
 * The command line. Exit codes: 0 done; 1 refused or failed, with one readable line: also a database that cannot be used,
 * a job of `enqueue --wait` that did not succeed, and one of several shards that has refused or not answered; 2 arguments
 * that cannot be used; 3 what a check has found; 130 a bulk action that goes on after Ctrl-C, and a move that has ended between
 * two transactions. `worker` has those of
 * `runWorker`.
 */
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { DatabaseError, parseDatabaseUrl, type PgClient } from '@duework/database';
import { setKeyRing } from '@duework/queue-core';
import { CommanderError } from 'commander';
import { readClock } from './clock.js';
import { createProgram } from './create-program.js';
import { findRunningDatabase } from './database/find-running-database.js';
import { requireDatabaseUrl } from './database/require-database-url.js';
import {
  isProduction,
  loadEnvFiles,
  readApi,
  readDatabaseUrl,
  readDatabaseWaitMs,
  readKeyRing,
  readBullmqUrl,
  readRedis,
  readReplicated,
  readShards,
  readUser,
} from './env.js';
import { PlainError } from './plain-error.js';
import { askPerson } from './output/ask-person.js';
import { ignoreClosedOutput } from './output/ignore-closed-output.js';
import { lookOf } from './output/look-of.js';
import { findJobsModule } from './project/find-jobs-module.js';
import { loadJobs } from './project/load-jobs.js';
import { readVersion } from './project/read-version.js';

const self = fileURLToPath(import.meta.url);
const clients = new Map<string, PgClient>();
const checked = new Set<string>();
let databaseUrl: string | undefined;

/** Printed once, so that people who have set nothing know which server is asked. */
let running: string | undefined | null = null;
function findRunning(dir = process.cwd()): string | undefined {
  if (running !== null || readDatabaseUrl() !== undefined) return running ?? undefined;
  running = findRunningDatabase(dir);
  if (running !== undefined)
    process.stderr.write(
      `DATABASE_URL is not set; using the PostgreSQL that runs here, ${parseDatabaseUrl(running).label}.\n`,
    );
  return running;
}

function findDatabaseUrl(dir?: string): string | undefined {
  if (dir !== undefined) loadEnvFiles(dir);
  return readDatabaseUrl() ?? findRunning(dir);
}

async function open(url: string): Promise<PgClient> {
  databaseUrl = url;
  const { connectPg } = await import('./database/connect.js');
  const opened = clients.get(url) ?? connectPg({ url, poolSize: 2, applicationName: 'duework-cli' });
  clients.set(url, opened);
  return opened;
}

async function connect(url: string): Promise<PgClient> {
  const opened = await open(url);
  const { checkDatabase } = await import('./database/connect.js');
  if (!checked.has(url)) await checkDatabase(opened, url).catch(leaveToVerb);
  checked.add(url);
  return opened;
}

/** A role without the right to look may have the one to do: what it lacks for that, the statement of the verb says. */
function leaveToVerb(error: unknown): void {
  if (!DatabaseError.is(error) || error.code !== 'database_permission_denied') throw error;
}

const theDatabase = (): string => requireDatabaseUrl(findDatabaseUrl());

function urlOfShard(name: string): string {
  const urls = readShards() ?? {};
  const url = urls[name];
  if (url !== undefined) return url;
  throw new PlainError(
    'unknown_shard',
    `SHARDS has no shard ${name}: it has ${Object.keys(urls).join(', ') || 'none'}.`,
  );
}

ignoreClosedOutput(process.stdout);
try {
  loadEnvFiles(process.cwd());
  setKeyRing(readKeyRing());
  const program = createProgram({
    db: async () => connect(theDatabase()),
    anyDb: async () => open(theDatabase()),
    shards: readShards,
    otherDb: open,
    shardDb: async (name) => connect(urlOfShard(name)),
    api: readApi,
    keyRing: readKeyRing,
    reencryptInRedis: async (ring, options) => {
      const redis = readRedis();
      if (redis === null) return null;
      const { reencryptInRedis } = await import('./operate/reencrypt-in-redis.js');
      return reencryptInRedis(process.cwd(), redis, ring, options);
    },
    redisUrl: readBullmqUrl,
    actor: `command:${readUser()}@${hostname()}`,
    databaseUrl: findDatabaseUrl,
    databaseWaitMs: readDatabaseWaitMs,
    isReplicated: readReplicated,
    givenDatabaseUrl: readDatabaseUrl,
    runningDatabaseUrl: () => (readShards() === undefined ? findRunning() : undefined),
    cwd: process.cwd(),
    self,
    version: readVersion(self),
    exitWith: (code) => (process.exitCode = code),
    onSignal: (listen) => ['SIGINT', 'SIGTERM'].forEach((signal) => process.on(signal, listen)),
    findJobs: (given) => findJobsModule(given, process.cwd(), isProduction()),
    loadJobs,
    write: (text) => void process.stdout.write(text),
    look: lookOf(process.stdout),
    confirm: process.stdin.isTTY && process.stderr.isTTY ? askPerson : undefined,
    progress: (text) => void process.stderr.write(text),
    progressLook: lookOf(process.stderr),
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    now: readClock,
  });
  await program.parseAsync();
} catch (error) {
  const { exitCodeOf, tellError, docsOf } = await import('./tell-error.js');
  process.exitCode = exitCodeOf(error);
  // commander has told its own
  const lines = error instanceof CommanderError ? [] : [tellError(error, databaseUrl), docsOf(error)];
  for (const line of lines) if (line !== null) process.stderr.write(`${line}\n`);
} finally {
  await Promise.all([...clients.values()].map((client) => client.$disconnect()));
}
