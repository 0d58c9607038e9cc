import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { enqueue } from './enqueue.js';
import { echo } from './testing/internal/test-contracts.js';
import { useTestDatabase } from './testing/internal/use-test-database.js';

const database = useTestDatabase();
let listening: pg.Client;
let heard: string[];
beforeEach(async () => {
  heard = [];
  listening = new pg.Client({ connectionString: database.url });
  await listening.connect();
  listening.on('notification', ({ payload }) => heard.push(payload!));
  await listening.query('LISTEN duework_wake');
});
afterEach(() => listening.end());

/** The payload of the next notification on that channel. */
const next = (): Promise<string> => new Promise((resolve) => listening.once('notification', ({ payload }) => resolve(payload!)));

/** Notifications come in the order of the commits, so that what was to be heard before this one has been heard. */
async function hearAll(): Promise<string[]> {
  while (heard.at(-1) !== 'end') {
    await database.db.$queryRaw`SELECT pg_notify('duework_wake', 'end')::text`;
    await listening.query('SELECT 1');
  }
  return heard.filter((payload) => payload !== 'end');
}

test('the workers of a queue hear of a run when it is committed, and its queue', async () => {
  // the throttle of what came before is over
  await sleep(20);
  const told = next();
  await database.db.$transaction(async (tx) => {
    await enqueue(tx, echo, { n: 1 });
    await listening.query('SELECT 1');
    expect(heard).toEqual([]);
  });
  expect(await told).toBe('default');
});

test('a run that is rolled back wakes nobody', async () => {
  await sleep(20);
  const rolledBack = database.db.$transaction(async (tx) => {
    await enqueue(tx, echo, { n: 1 });
    throw new Error('the business write failed');
  });
  await expect(rolledBack).rejects.toThrow('the business write failed');
  expect(await hearAll()).toEqual([]);
});

test('never one notification per run: many that are enqueued at once are told a few times', async () => {
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: 500 }, (_, n) => enqueue(database.db, echo, { n })));
  // the last one that was held back
  await sleep(30);
  const most = (performance.now() - startedMs) * (1 / 2 + 1 / 20) + 3;
  const told = await hearAll();
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThan(most);
});

test('the last run of a burst is told as well', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, n) => enqueue(database.db, echo, { n })));
  const told = next();
  await enqueue(database.db, echo, { n: 20 });
  expect(await told).toBe('default');
});

test('a worker that cannot be told is no reason to fail', async () => {
  const failing = { $connect: () => {}, $queryRaw: (statement: { sql: string }) => (statement.sql.startsWith('SELECT pg_notify') ? Promise.reject(new Error('no')) : database.db.$queryRaw(statement as never)) };
  const told = await Promise.all([1, 2, 3].map((n) => enqueue(failing as never, echo, { n })));
  expect(told).toMatchObject([{ status: 'queued' }, { status: 'queued' }, { status: 'queued' }]);
  // an unhandled rejection would fail the test
  await sleep(30);
});
