import { deadJob, defineCatalog, defineJob, fixed } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { claimRuns } from '../sql/claim/claim-runs.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { buryRuns } from '../sql/settle/bury-runs.js';

const database = useTestDatabase();
const tellSupport = defineJob({ type: 'tell_support', payload: deadJob });
const charge = defineJob({
  type: 'charge',
  payload: z.object({ invoice: z.int() }),
  retry: fixed('1ms'),
  maxAttempts: 2,
  onDead: tellSupport,
});
const catalog = defineCatalog([charge, tellSupport]);
const error = { code: 'boom', error_type: 'Error', message: 'no', stack: null, abort_code: null, abort_stage: null };

beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, job_history, job_keys');
  await registerDefinitions(database.db, catalog);
});

const countTold = (): Promise<number> => database.db.jobRun.count({ where: { jobType: 'tell_support' } });

/** A running one, as its worker would bury it. */
async function claimCharge(): Promise<{ id: string; fence: number }> {
  await enqueue(database.db, charge, { invoice: 812 });
  const contracts = new Map([[charge.type, charge]]);
  const { runs } = await claimRuns(database.db, { queue: 'default', contracts, worker: 'tester', limit: 1 });
  return runs[0]!;
}

test('a handler is told of a job whose last attempt failed', async () => {
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: {
      charge: () => Promise.reject(Object.assign(new Error('no answer'), { code: 'ECONNREFUSED' })),
      tell_support: ({ payload }) => void told.push(payload),
    },
  });
  const told: unknown[] = [];
  const { id } = await enqueue(database.db, charge, { invoice: 812 }, { meta: { order: '7' } });
  await events.waitFor('job.succeeded');
  await worker.stop({ deadlineMs: 0 });
  expect(told).toEqual([
    {
      jobId: id,
      type: 'charge',
      payload: { invoice: 812 },
      errorCode: 'ECONNREFUSED',
      error: expect.stringContaining('no answer'),
      attempts: 2,
      meta: { order: '7' },
    },
  ]);
});

test('a death that is rolled back is told to nobody', async () => {
  const { id, fence } = await claimCharge();
  const buried = database.db.$transaction(async (tx) => {
    expect(await buryRuns(tx, [{ id, fence, ...error }])).toEqual([{ id }]);
    expect(await tx.jobRun.count({ where: { jobType: 'tell_support' } })).toBe(1);
    throw new Error('the connection broke');
  });
  await expect(buried).rejects.toThrow('the connection broke');
  expect(await countTold()).toBe(0);
});

test('a death that two connections write at the same time is told once', async () => {
  const clients = [1, 2].map(() => database.connect({ poolSize: 1 }));
  for (let n = 1; n <= 20; n++) {
    const { id, fence } = await claimCharge();
    const buried = await Promise.all(clients.map((client) => buryRuns(client, [{ id, fence, ...error }])));
    expect(buried.flat()).toEqual([{ id }]);
    expect(await countTold()).toBe(n);
  }
});

test('what comes back into the history as it was before a retry is told of no second time', async () => {
  const { id, fence } = await claimCharge();
  await buryRuns(database.db, [{ id, fence, ...error }]);
  expect(await countTold()).toBe(1);
  await emptyTables(database.db, 'job_keys');
  await database.db.$executeRaw`
    WITH r AS (DELETE FROM duework.job_history WHERE id = ${BigInt(id)} RETURNING *) INSERT INTO duework.job_history SELECT * FROM r`;
  expect(await countTold()).toBe(1);
});
