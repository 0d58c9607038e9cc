import { expect, test } from '@jest/globals';
import { cancelJob, enqueue } from '@duework/queue-core';
import { createMemoryQueue } from './memory/create-memory-queue.js';
import { echo } from './fixtures/test-contracts.js';
import { useTestDatabase } from './fixtures/use-test-database.js';
import { waitForJob } from './wait-for-job.js';

const database = useTestDatabase();

test('a job is waited for until it has ended, or has the status that is wanted', async () => {
  const queue = createMemoryQueue();
  const { id } = await queue.enqueue(echo, { n: 1 });
  expect(await waitForJob(queue, id, { status: 'queued' })).toMatchObject({ id, status: 'queued' });
  const ended = waitForJob(queue, id);
  await queue.cancelJob(id, { by: 'ada' });
  expect(await ended).toMatchObject({ id, status: 'cancelled', cancelRequestedBy: 'ada' });
});

test('a job in a database that is not committed yet is waited for as well', async () => {
  let waiting: Promise<unknown> | undefined;
  const id = await database.db.$transaction(async (tx) => {
    const enqueued = await enqueue(tx, echo, { n: 1 });
    waiting = waitForJob(database.db, enqueued.id, { status: 'cancelled' });
    return enqueued.id;
  });
  await cancelJob(database.db, id);
  expect(await waiting).toMatchObject({ id, status: 'cancelled' });
});

test('waiting for a job that ends otherwise fails at once, and says how it ended', async () => {
  const queue = createMemoryQueue();
  const { id } = await queue.enqueue(echo, { n: 1 }, { maxAttempts: 1 });
  const {
    runs: [run],
  } = await queue.store.claim({
    queue: 'default',
    contracts: new Map([['echo', { ...echo, leaseMs: 1_000 }]]),
    worker: 'w',
    limit: 1,
  });
  await queue.store.settle([
    {
      kind: 'bury',
      id,
      fence: run!.fence,
      error: { code: 'gone', type: 'Error', message: 'no such order', stack: null },
      abort: null,
    },
  ]);
  await expect(waitForJob(queue, id, { status: 'succeeded' })).rejects.toThrow(
    `Job ${id} will not become succeeded: this echo is dead after 1 of 1 attempts, its last error is gone: no such order.`,
  );
});

test('waiting for a job beyond the time limit fails, and says what was last seen of it', async () => {
  const queue = createMemoryQueue();
  const { id } = await queue.enqueue(echo, { n: 1 }, { runAt: new Date('2031-01-01T00:00:00Z') });
  await expect(waitForJob(queue, id, { timeoutMs: 1 })).rejects.toThrow(
    `Job ${id} did not become final within 1 ms: this echo is queued after 0 of 10 attempts, due at 2031-01-01T00:00:00.000Z.`,
  );
  await expect(waitForJob(queue, 'm99', { timeoutMs: 1 })).rejects.toThrow(
    'Job m99 did not become final within 1 ms: there is no such job.',
  );
});
