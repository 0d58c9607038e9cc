import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg, type PgClient } from '@duework/database';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { enqueue } from '@duework/queue-core';
import pg from 'pg';
import { z } from 'zod';
import { runWorker } from './run-worker.js';
import { createFact } from './testing/create-fact.js';

const greet = defineJob({ type: 'greet', payload: z.object({}) });
const catalog = defineCatalog([greet]);
let database: TestDatabase;
let db: PgClient;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectPg({ url: database.url, poolSize: 1 });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

const { query } = pg.Client.prototype;
afterEach(() => {
  pg.Client.prototype.query = query;
});

/** Different ones of this thread, until the first job begins. */
const MOST_STATEMENTS = 10;

/** Starts a plain worker with a job that waits, and stops it when that has begun. Returns what this thread asked, by connection. */
async function start(): Promise<{ untilStarted: string[]; untilBegun: string[] }> {
  await enqueue(db, greet, {});
  const [begun, stopping] = [createFact(), new AbortController()];
  const asked: string[] = [];
  let untilStarted: string[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]): never {
    const [config] = args as [string | { readonly text: string }];
    const text = typeof config === 'string' ? config : config.text;
    asked.push(text.replace(/\s+/g, ' ').trim());
    return (query as (...all: unknown[]) => never).apply(this, args);
  } as typeof query;
  const ended = runWorker({
    catalog,
    handlers: { greet: () => begun.happen() },
    databaseUrl: database.url,
    workerPort: 'none',
    logLevel: 'silent',
    handleSignals: false,
    signal: stopping.signal,
    onStarted: () => (untilStarted = [...asked]),
  });
  await begun.happened;
  const untilBegun = [...asked];
  stopping.abort();
  await ended;
  // who else listens is read again at a random moment
  const isCounted = (text: string): boolean => !/string_agg\(l\.pid/.test(text);
  return { untilStarted: untilStarted.filter(isCounted), untilBegun: untilBegun.filter(isCounted) };
}

test('a plain worker looks twice at a database that has all of it, and does not look after the history before its first job', async () => {
  await start();
  const { untilStarted, untilBegun } = await start();
  const looks = untilStarted.filter((text) => /is_at_home|job_contracts/.test(text));
  expect(looks).toHaveLength(2);
  // and to be woken: what it listens to, and whom it shares that with
  expect(untilStarted.filter((text) => !looks.includes(text))).toEqual([
    expect.stringMatching(/^LISTEN duework_wake; LISTEN/),
    expect.stringMatching(/pg_advisory_lock_shared/),
  ]);
  expect(untilBegun.filter((text) => /prune|ensure_partitions|WITH RECURSIVE oldest/.test(text))).toEqual([]);
  // with the claim, and the looks of which a job may depend
  expect(new Set(untilBegun).size).toBeLessThanOrEqual(MOST_STATEMENTS);
});
