import { defineCatalog, defineJob } from '@duework/contracts';
import { countBuffers, useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sampleQueuedPayloads } from './sample-queued-payloads.js';
import { readPayloadSample } from '../sql/registry/read-payload-sample.js';

const database = useTestDatabase();
const catalog = defineCatalog([defineJob({ type: 'mail', payload: z.object({ n: z.int() }) })]);

beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs`;
});
/** Runs of a type, one id after the other, of which every tenth has a payload that does not parse. */
const add = (type: string, count: number) => database.db.$executeRaw`
  INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts)
  SELECT first + i, 'default', ${type}, 1, 5, now(), jsonb_build_object('n', CASE WHEN i % 10 = 0 THEN '"x"' ELSE i::text END::jsonb), 3
  FROM (SELECT coalesce(max(id), 0) AS first FROM duework.job_runs) AS f, generate_series(1, ${count}::integer) AS i`;

test('all of a type is parsed where that is little', async () => {
  await add('mail', 100);
  await add('other', 50);
  expect(await sampleQueuedPayloads(database.db, catalog, 'mail')).toMatchObject({
    looked: 150,
    isComplete: true,
    versions: [{ version: 1, checked: 100, fits: 90, faulty: 10, faults: [{ path: '/n', jobs: 10 }] }],
  });
  await database.db.$executeRaw`TRUNCATE duework.job_runs`;
  expect(await sampleQueuedPayloads(database.db, catalog, 'mail')).toEqual({
    looked: 0,
    isComplete: true,
    versions: [],
  });
});

test('of many the oldest and the newest are parsed, and the answer says that there are more', async () => {
  await add('mail', 6_000);
  await add('other', 20_000);
  await add('mail', 300);
  expect(await sampleQueuedPayloads(database.db, catalog, 'mail')).toMatchObject({
    looked: 10_000,
    isComplete: false,
    versions: [{ checked: 500, fits: 450, faulty: 50 }],
  });
  await add('other', 6_000);
  expect((await sampleQueuedPayloads(database.db, catalog, 'mail')).versions).toMatchObject([{ checked: 250 }]);
});

test('it looks at a bounded number of runs, whatever the planner believes', async () => {
  await add('other', 60_000);
  const buffers = await countBuffers(database.db, (spy) => readPayloadSample(spy, 'mail'), {
    runs: '[]',
    looked: 0,
    isComplete: true,
  });
  expect(buffers).toBeLessThan(1_500);
});
