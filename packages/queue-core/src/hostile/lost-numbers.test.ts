import { defineCatalog, defineJob, defineSignal } from '@duework/contracts';
import { type EventRecord, startTestWorker } from '@duework/testing';
import { untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { getJob } from '../queue/operate.js';
import { complete } from '../settle/outcome.js';
import type { Handler } from '../run/handler.js';
import type { Worker } from '../worker/create-worker.js';

const LOST = '9007199254740993';
const HUGE = `1${'0'.repeat(400)}`;

const database = useTestDatabase();
const order = defineJob({ type: 'order', payload: z.object({ n: z.any() }), durable: true, maxAttempts: 1 });
const refund = defineJob({ type: 'refund', payload: z.object({ n: z.number() }), maxAttempts: 1 });
const paid = defineSignal({ name: 'paid', by: ['orderId'], payload: z.object({ orderId: z.int(), amount: z.any() }) });
const counted = defineSignal({
  name: 'counted',
  by: ['orderId'],
  payload: z.object({ orderId: z.int(), amount: z.int() }),
});
const catalog = defineCatalog([order, refund]);

let worker: Worker | undefined;
let events: EventRecord | undefined;
afterEach(() => worker?.stop({ deadlineMs: 0 }));

async function start(take: Handler<typeof order>, give: Handler<typeof refund> = () => complete()): Promise<void> {
  ({ worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { order: take, refund: give },
  }));
}

test('the result of a step, and a signal, that SQL has written are given to the handler with all their digits', async () => {
  const seen: unknown[] = [];
  await start(async ({ step, waitFor }) => {
    const sum = await step('sum', () => 1);
    const { amount } = (await waitFor(paid, { where: { orderId: 1 } }))!;
    seen.push([sum, amount]);
  });
  const { id } = await enqueue(database.db, order, { n: 1 });
  await events!.waitFor('job.snoozed');
  await database.db.$executeRaw`
    UPDATE duework.job_steps SET result = ${HUGE}::text::jsonb WHERE run_id = ${id}::text::bigint AND name = 'sum'`;
  await database.db.$queryRaw`SELECT duework.signal('paid', '1', ${`{"orderId": 1, "amount": ${LOST}}`}::text::jsonb)`;
  await untilJob(database.db, id);
  expect(seen).toEqual([[HUGE, LOST]]);
});

test('a signal whose contract wants a number is refused where its number would be another one', async () => {
  await start(async ({ waitFor }) => complete(await waitFor(counted, { where: { orderId: 2 } })));
  const { id } = await enqueue(database.db, order, { n: 1 });
  await events!.waitFor('job.snoozed');
  await database.db
    .$queryRaw`SELECT duework.signal('counted', '2', ${`{"orderId": 2, "amount": ${LOST}}`}::text::jsonb)`;
  expect(await untilJob(database.db, id)).toMatchObject({ status: 'dead', result: null });
});

test('the stored value of an effect is given to the handler with all its digits', async () => {
  const seen: unknown[] = [];
  await start(
    () => complete(),
    async ({ once }) => void seen.push(await once('pay', () => 1, { key: 'k' })),
  );
  await untilJob(database.db, (await enqueue(database.db, refund, { n: 1 })).id);
  await database.db.$executeRaw`UPDATE duework.job_effects SET result = ${LOST}::text::jsonb`;
  await untilJob(database.db, (await enqueue(database.db, refund, { n: 2 })).id);
  expect(seen).toEqual([1, LOST]);
});

test('large numbers that JavaScript has written are given to the handler as they were', async () => {
  const seen: unknown[] = [];
  await start(
    () => complete(),
    ({ payload }) => void seen.push(payload.n),
  );
  const numbers = [1e23, -1.5e300, 2 ** 53 + 2, Number.MAX_VALUE];
  for (const n of numbers) {
    const { id } = await enqueue(database.db, refund, { n });
    expect(await untilJob(database.db, id)).toMatchObject({ status: 'succeeded', payload: { n } });
  }
  expect(seen).toEqual(numbers);
});

test('what a program reads of a job has all its digits, and the meta that a handler gets, too', async () => {
  const seen: unknown[] = [];
  await start(({ run }) => void seen.push(run.meta));
  const [row] = await database.db.$queryRaw<[{ id: string }]>`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts, meta)
    VALUES ('default', 'order', 1, 5, now(), '{"n": 1}', 1, ${`{"trace": ${LOST}}`}::text::jsonb)
    RETURNING id::text AS id`;
  await untilJob(database.db, row.id);
  await database.db.$executeRaw`
    UPDATE duework.job_history SET result = ${LOST}::text::jsonb WHERE id = ${row.id}::text::bigint`;
  expect(seen).toEqual([{ trace: LOST }]);
  expect((await getJob(database.db, row.id)).job).toMatchObject({ result: LOST, meta: { trace: LOST } });
});
