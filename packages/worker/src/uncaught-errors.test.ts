import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connectPg, type PgClient } from '@duework/database';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { defineJob } from '@duework/contracts';
import { enqueue, getJob } from '@duework/queue-core';
import { z } from 'zod';
import { startFixture } from './testing/start-fixture.js';
import { killWorkers, type WorkerProcess } from './testing/start-worker-process.js';

const poison = defineJob({ type: 'poison', payload: z.object({ way: z.string() }), maxAttempts: 3 });
const healthy = defineJob({ type: 'healthy', payload: z.object({ ms: z.int() }), maxAttempts: 1 });
const bulk = defineJob({ type: 'bulk', payload: z.object({}), maxAttempts: 2, collect: { max: 2, wait: '1s' } });

let database: TestDatabase;
let db: PgClient;
beforeEach(async () => {
  database = await createTestDatabase();
  db = connectPg({ url: database.url, poolSize: 2 });
});
afterEach(async () => {
  killWorkers();
  await db.$disconnect();
  await database.drop();
});

function start(): WorkerProcess {
  return startFixture('poison', {
    env: { DATABASE_URL: database.url, WORKER_PORT: 'none', SHUTDOWN_DEADLINE_MS: '200' },
  });
}
const jobOf = async (id: string) => (await getJob(db, id)).job;

/** Starts a worker after the other, as a supervisor does, until the job has ended; how many it took down. */
async function superviseUntilEnd(id: string): Promise<number> {
  for (let down = 0; ; down++) {
    if ((await jobOf(id)).status === 'dead') return down;
    if (down === 10) throw new Error('It takes one worker down after the other.');
    expect(await start().ended).toBe(1);
  }
}

test('a job that takes its process down dies after its attempts, and its neighbours are not charged', async () => {
  const { id } = await enqueue(db, poison, { way: 'timer' });
  const neighbour = await enqueue(db, healthy, { ms: 600_000 });
  expect(await superviseUntilEnd(id)).toBe(3);
  expect(await jobOf(id)).toMatchObject({ status: 'dead', attempts: 3, errorCode: 'uncaught_error' });
  expect(await jobOf(neighbour.id)).toMatchObject({ status: 'queued', attempts: 0 });
});

test.each(['emitter', 'floating'])('an error of a %s is charged to the job that it came from', async (way) => {
  const { id } = await enqueue(db, poison, { way });
  const neighbour = await enqueue(db, healthy, { ms: 600_000 });
  expect(await start().ended).toBe(1);
  // its retry is due after a millisecond: a claim that was on its way may have taken it, and given it back uncharged
  const { job, attempts } = await getJob(db, id);
  expect(['failed', 'queued']).toContain(job.status);
  expect(job).toMatchObject({ attempts: 1, errorCode: 'uncaught_error' });
  expect(attempts.filter(({ outcome }) => outcome === 'failed')).toMatchObject([{ errorCode: 'uncaught_error' }]);
  expect(await jobOf(neighbour.id)).toMatchObject({ status: 'queued', attempts: 0 });
});

test('where nobody knows which job it was, what ran each time is dead, and who came later lives', async () => {
  const { id } = await enqueue(db, poison, { way: 'unknown' });
  expect(await start().ended).toBe(1);
  expect(await jobOf(id)).toMatchObject({ status: 'queued', attempts: 0 });
  const later = await enqueue(db, healthy, { ms: 1 });
  expect(await superviseUntilEnd(id)).toBe(2);
  expect(await jobOf(id)).toMatchObject({ status: 'dead', errorCode: 'process_failed' });
  expect(await jobOf(later.id)).toMatchObject({ status: 'succeeded' });
});

test('an error of a call of many is charged to each of its jobs', async () => {
  const [one, two] = [await enqueue(db, bulk, {}), await enqueue(db, bulk, {})];
  expect(await superviseUntilEnd(one.id)).toBe(2);
  expect([await jobOf(one.id), await jobOf(two.id)]).toMatchObject([
    { status: 'dead', attempts: 2, errorCode: 'uncaught_error' },
    { status: 'dead', attempts: 2, errorCode: 'uncaught_error' },
  ]);
});
