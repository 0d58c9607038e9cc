import { defineCatalog, defineJob, type JobContract } from '@duework/contracts';
import { countBuffers, useTestDatabase } from '@duework/testing/fixtures';
import { queryRows, sql } from '@duework/sql';
import { beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { claimRuns, PRIORITIES } from '../sql/claim/claim-runs.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';

const order = defineJob({ type: 'order', payload: z.object({ n: z.int() }), durable: true });
const contracts = new Map<string, JobContract>([[order.type, order]]);
const database = useTestDatabase();

/** So many runs that wait for a signal, or until a week from now. */
async function sleep(count: number): Promise<void> {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.job_steps`;
  await database.db.$executeRaw`
    WITH runs AS (
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts, fence, snoozes, snoozed_at, terms)
      SELECT 'default', 'order', 1, 5, now() + interval '7 days' + n * interval '1 second', jsonb_build_object('n', n), 3, 1, 1, now(),
        '{"suspended": 1}'
      FROM generate_series(1, ${count}::integer) AS n
      RETURNING id, run_at
    )
    INSERT INTO duework.job_steps (run_id, name, status, asked_seq, fence, wakes_at, awaits, awaited)
    SELECT id, 'payment', 'waiting', 1, 1, run_at, 'signal', 'paid ' || id FROM runs`;
  await database.db.$executeRaw`VACUUM (ANALYZE) duework.job_runs, duework.job_steps`;
}

beforeAll(() => registerDefinitions(database.db, defineCatalog([order])));

test('a look for work, and a signal, touch no more beside 100,000 runs that sleep than beside a thousand, but for an index a page deeper', async () => {
  const db = database.connect({ poolSize: 1 });
  await db.$executeRaw`SET enable_seqscan = off`;
  const count = async (sleeping: number): Promise<{ look: number; signal: number }> => {
    await sleep(sleeping);
    const bounds = Array.from({ length: PRIORITIES }, () => ({ runAt: 0, id: 0 }));
    const claim = { queue: 'default', contracts, worker: 'tester', limit: 5 };
    const look = async (): Promise<number> =>
      countBuffers(db, (spy) => claimRuns(spy, claim, { bounds, isPassing: false }), {
        runs: null,
        now_seconds: 0,
        due_in_ms: null,
      });
    const signal = async (): Promise<number> =>
      countBuffers(db, (spy) => queryRows(spy, sql`SELECT duework.signal('paid', '1', '{}')`), {});
    const counts = [];
    // the least of some: the first one plans
    for (let n = 0; n < 4; n++) counts.push({ look: await look(), signal: await signal() });
    return {
      look: Math.min(...counts.map((one) => one.look)),
      signal: Math.min(...counts.map((one) => one.signal)),
    };
  };
  const few = await count(1_000);
  const many = await count(100_000);
  // an index that is a page deeper, asked twice for each priority
  expect(many.look).toBeLessThanOrEqual(few.look + 2 * PRIORITIES);
  expect(many.signal).toBeLessThanOrEqual(few.signal + 2);
});
