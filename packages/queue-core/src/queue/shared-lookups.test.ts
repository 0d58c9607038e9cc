import { echo, useTestDatabase } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { enqueue } from '../enqueue/enqueue.js';
import { openQueue } from './open-queue.js';
import { cancelJob } from './operate.js';
import type { Queryable } from '@duework/sql';

const database = useTestDatabase();

test('lookups that arrive together share a statement, and each gets its own job', async () => {
  let count = 0;
  const db = {
    $connect: () => {},
    $queryRaw: (statement: never) => {
      count++;
      return database.db.$queryRaw(statement);
    },
  } as never as Queryable;
  const jobs = await Promise.all([1, 2, 3].map((n) => enqueue(database.db, echo, { n })));
  const queue = openQueue(db);
  const ids = [...jobs.map(({ id }) => id), jobs[1]!.id];
  const [none, ...found] = await Promise.allSettled(['7', ...ids].map((id) => queue.getJob(id)));
  expect(none).toMatchObject({ status: 'rejected', reason: { code: 'job_not_found' } });
  expect(found).toMatchObject([1, 2, 3, 2].map((n) => ({ value: { job: { payload: { n } }, attempts: [] } })));
  expect(count).toBe(1);
});

test('a lookup never gets the answer of a statement that had begun before it', async () => {
  let letGo = (): void => {};
  let answer = (): void => {};
  const free = new Promise<void>((resolve) => (letGo = resolve));
  const answered = new Promise<void>((resolve) => (answer = resolve));
  /** Keeps the first answer of the database back. */
  const db = {
    $connect: () => {},
    $queryRaw: async (statement: never) => {
      const rows = await database.db.$queryRaw(statement);
      answer();
      await free;
      return rows;
    },
  } as never as Queryable;
  const { id } = await enqueue(database.db, echo, { n: 1 });
  const queue = openQueue(db);
  const before = queue.getJob(id);
  await answered;
  await cancelJob(database.db, id);
  const after = queue.getJob(id);
  letGo();
  expect((await before).job.status).toBe('queued');
  expect((await after).job.status).toBe('cancelled');
});
