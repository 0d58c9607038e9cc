import { enqueue, getJob } from '@duework/queue-core';
import { afterEach, expect, test } from '@jest/globals';
import { receipt, useTracedWorkers } from './testing/use-traced-workers.js';
import { traceEnqueues } from './trace-enqueues.js';

const { database, start } = useTracedWorkers();
let untrace = (): void => {};
afterEach(() => untrace());

test('a program that has registered no SDK stores nothing beside its jobs, and they run as ever', async () => {
  untrace = traceEnqueues();
  const { events } = await start();
  const { id } = await enqueue(database.db, receipt, { orderId: 1 });
  await events.waitFor('job.succeeded');
  expect((await getJob(database.db, id)).job.meta).toBeNull();
});
