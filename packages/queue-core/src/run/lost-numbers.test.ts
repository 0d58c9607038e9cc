import { defineCatalog, defineJob } from '@duework/contracts';
import { queryRows, sql } from '@duework/sql';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { getJob } from '../queue/operate.js';
import type { Worker } from '../worker/create-worker.js';

const database = useTestDatabase();
const receipt = defineJob({
  type: 'receipt',
  payload: z.object({ orderId: z.number(), list: z.array(z.any()).optional() }),
});
const catalog = defineCatalog([receipt]);

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

test('a number of SQL that JavaScript cannot hold never reaches a handler as another one', async () => {
  const got: unknown[] = [];
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { receipt: ({ payload }) => void got.push(payload.orderId) },
  });
  workers.push(worker);
  const add = async (payload: string): Promise<string> => {
    const [row] = await queryRows<{ id: string }>(
      database.db,
      sql`SELECT id::text AS id FROM duework.enqueue('receipt', ${payload}::text::jsonb)`,
    );
    return row!.id;
  };
  // in one statement with those that are well, and with texts that look like it
  const lost = [
    await add('{"orderId": 1970670598291982290}'),
    await add('{"orderId": -1970670598291982290}'),
    await add('{"orderId": 1, "list": [{"id": 1}, 1970670598291982290]}'),
  ];
  await add('{"orderId": 9007199254740992, "list": ["1970670598291982290", ": 1970670598291982290"]}');
  await add('{"orderId": 0.12345678901234567890}');
  await Promise.all([events.waitFor('job.dead', 3), events.waitFor('job.succeeded', 2)]);
  const jobs = await Promise.all(lost.map(async (id) => (await getJob(database.db, id)).job));
  expect(jobs.map(({ status, errorCode, lastError }) => [status, errorCode, lastError?.split(' is ')[0]])).toEqual([
    ['dead', 'invalid_payload', '/orderId'],
    ['dead', 'invalid_payload', '/orderId'],
    ['dead', 'invalid_payload', '/list/1'],
  ]);
  expect(got.sort()).toEqual([0.12345678901234568, 9007199254740992]);
});
