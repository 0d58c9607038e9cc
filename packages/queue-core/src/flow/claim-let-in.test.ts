import { defineCatalog, defineJob, type JobContract } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { useTestDatabase } from '@duework/testing/fixtures';
import { z } from 'zod';
import { enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { createPostgresStore } from '../store/postgres-store.js';

const call = defineJob({ type: 'call', payload: z.object({ of: z.int() }), limits: [{ by: 'of', max: 1 }] });
const catalog = defineCatalog([call]);
const contracts = new Map<string, JobContract>([['call', { ...call, leaseMs: 60_000 }]]);
const database = useTestDatabase();

test('under a backlog, too, the next claim takes who was let in, and not only the next one that looks everywhere', async () => {
  const store = createPostgresStore({ db: database.db });
  await store.prepare(catalog);
  await enqueueMany(
    database.db,
    Array.from({ length: 600 }, (_, n) => jobRequest(call, { of: n % 200 })),
  );
  const claim = async () => (await store.claim({ queue: 'default', contracts, worker: 'w', limit: 200 })).runs;
  // a full claim is a backlog: for a while after it claims begin behind what was taken
  for (let round = 0; round < 3; round++) {
    const runs = await claim();
    expect(runs).toHaveLength(200);
    await store.settle(
      runs.map(({ id, fence, gates }) => ({ kind: 'complete', id, fence, result: null, gates: gates! }) as const),
    );
  }
  expect(await claim()).toEqual([]);
});
