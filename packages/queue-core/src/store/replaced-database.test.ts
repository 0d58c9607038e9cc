import { defineJob } from '@duework/contracts';
import { useTestDatabase } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { getJob } from '../queue/operate.js';
import { claimRuns } from '../sql/claim/claim-runs.js';
import { createPostgresStore } from './postgres-store.js';

const database = useTestDatabase();
const wait = defineJob({ type: 'wait', payload: z.object({}) });

test.each([
  ['the database that it was claimed in', true, 'succeeded'],
  ['another database, where its number and fence are those of another run', false, 'running'],
])('a run whose lease was lost, in %s: isOurs %s, the run is %s', async (_, isOurs, status) => {
  const { db } = database;
  const { id } = await enqueue(db, wait, {});
  await claimRuns(db, { queue: 'default', contracts: new Map([['wait', wait]]), worker: 'another', limit: 1 });
  const store = createPostgresStore({ db, isOurs: () => isOurs });
  const settled = await store.settle([{ id, fence: 1, kind: 'complete', result: null, wasLost: true }]);
  expect(settled).toEqual([isOurs ? 'succeeded' : null]);
  expect((await getJob(db, id)).job.status).toBe(status);
  if (!isOurs) expect(await store.completeIn(db, { id, fence: 1, result: null })).toBe(false);
});
