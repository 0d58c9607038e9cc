import { defineCatalog, defineJob } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { getJob } from '../queue/operate.js';
import type { Worker } from '../worker/create-worker.js';

const plain = defineJob({ type: 'plain', payload: z.object({}) });
const video = defineJob({ type: 'video', payload: z.object({}), queues: ['videos', 'default'], labels: ['gpu'] });
const film = defineJob({ type: 'film', payload: z.object({}), queue: 'films', labels: ['gpu', 'large'] });
const catalog = defineCatalog([plain, video, film]);

const database = useTestDatabase();
const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

/** Starts a worker with these labels; returns what it says of its start. */
async function start(name: string, labels?: readonly string[]): Promise<unknown> {
  const handlers = { plain: () => {}, video: () => {}, film: () => {} };
  const { worker, events } = await startTestWorker(database.db, { name, catalog, handlers, ...(labels && { labels }) });
  workers.push(worker);
  const [started] = await events.waitFor('worker.started');
  return started;
}

test('a type with labels is run by workers that have all of them, and by no other', async () => {
  expect(await start('plain')).toMatchObject({ types: ['plain'], queues: ['default'] });
  const { id: waits } = await enqueue(database.db, video, {}, { queue: 'default' });
  const { id: behind } = await enqueue(database.db, plain, {});
  await untilJob(database.db, behind, { status: 'succeeded' });
  // it was due before the other one
  expect((await getJob(database.db, waits)).job).toMatchObject({ status: 'queued', attempts: 0 });

  expect(await start('gpu', ['gpu', 'ssd'])).toMatchObject({
    types: ['plain', 'video'],
    queues: ['default', 'videos'],
  });
  expect(await untilJob(database.db, waits)).toMatchObject({ status: 'succeeded', worker: 'gpu' });
  const { id: large } = await enqueue(database.db, film, {});
  await start('large', ['large', 'gpu']);
  expect(await untilJob(database.db, large)).toMatchObject({ status: 'succeeded', worker: 'large' });
});

test('a worker that has not got the labels of a type registers it all the same, for those who enqueue it in SQL', async () => {
  await start('plain');
  const found = await database.db.jobDefinition.findMany({
    select: { type: true, labels: true },
    orderBy: { type: 'asc' },
  });
  expect(found).toEqual([
    { type: 'film', labels: ['gpu', 'large'] },
    { type: 'plain', labels: [] },
    { type: 'video', labels: ['gpu'] },
  ]);
});
