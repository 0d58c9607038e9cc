import { defineCatalog, defineJob, type JobContract } from '@duework/contracts';
import { useTestDatabase } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { takeLooks } from '../sql/flow/take-looks.js';
import { createPostgresStore } from '../store/postgres-store.js';

const payload = z.object({ account: z.int() });
const rated = defineJob({ type: 'rated', payload, rate: { max: 100, per: '1s', burst: 100 } });
const ordered = defineJob({ type: 'ordered', payload, order: { by: 'account', onDead: 'block' } });
const catalog = defineCatalog([rated, ordered]);
const contracts = new Map<string, JobContract>(
  [rated, ordered].map((contract) => [contract.type, { ...contract, leaseMs: 60_000 }]),
);
const database = useTestDatabase();
const store = () => createPostgresStore({ db: database.db });
const claim = async () => (await store().claim({ queue: 'default', contracts, worker: 'w', limit: 100 })).runs;

/** Holds whoever lets runs in, between his look at the clock and his look at the runs, until `meanwhile` is done. */
async function hold(meanwhile: () => Promise<unknown>): Promise<void> {
  let looked: Promise<unknown> = Promise.resolve();
  await database.db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE duework.job_history_dead IN ACCESS EXCLUSIVE MODE`;
    looked = takeLooks(database.db);
    for (let hanging = 0; hanging === 0;) {
      const [row] = await database.db.$queryRaw<[{ n: number }]>`
        SELECT count(*)::integer AS n FROM pg_locks
        WHERE relation = 'duework.job_history_dead'::regclass AND NOT granted`;
      hanging = row.n;
    }
    await meanwhile();
  });
  await looked;
}

test.each([
  [rated, 'rate/rated'],
  [ordered, 'order/ordered.account/1'],
] as const)('a run that is enqueued while others are let in keeps its place in line (%#)', async (contract, key) => {
  await store().prepare(catalog);
  await database.db.$executeRaw`INSERT INTO duework.flow_looks (at, key) VALUES (now(), ${key})`;
  await hold(() => enqueue(database.db, contract, { account: 1 }));
  await takeLooks(database.db);
  expect(await claim()).toMatchObject([{ type: contract.type }]);
});

test.each([rated, ordered])(
  'a run that is due later, because the clock was set back, is let in then ($type)',
  async (contract) => {
    await store().prepare(catalog);
    const { id } = await enqueue(database.db, contract, { account: 2 });
    await database.db.$executeRaw`
    WITH later AS (UPDATE duework.job_runs SET run_at = now() + interval '300 ms' RETURNING id, run_at)
    UPDATE duework.flow_waits AS w SET ready_at = l.run_at FROM later AS l WHERE w.run_id = l.id AND w.key NOT LIKE 'order/%'`;
    let runs: readonly unknown[] = [];
    while (runs.length === 0) {
      await takeLooks(database.db);
      runs = await claim();
    }
    expect(runs).toMatchObject([{ id }]);
  },
);
