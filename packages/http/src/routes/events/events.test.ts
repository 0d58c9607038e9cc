import { defineCatalog, defineEvent, defineSubscriber } from '@duework/contracts';
import { registerDefinitions } from '@duework/queue-core';
import { emptyTables } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { useTestApi } from '../../testing/use-test-api.js';

const paid = defineEvent({ name: 'order_paid', payload: z.object({ n: z.int() }), keep: '7d' });
const receipt = defineSubscriber({ type: 'send_receipt', on: paid });
const book = defineSubscriber({ type: 'book', on: paid, queue: 'ledger' });
/** Of this API's program: nobody subscribes in its catalog. */
const refunded = defineEvent({ name: 'order_refunded', payload: z.object({ n: z.int() }) });
const api = useTestApi(() => ({ catalog: defineCatalog([receipt, book]), events: [refunded] }));
const PATH = '/v1/published-events';
const EPOCH = '1970-01-01T00:00:00Z';

const publish = (n: unknown, more: object = {}, event = 'order_paid') =>
  api.post(`${PATH}/${event}`, { payload: { n }, ...more });

beforeEach(async () => {
  await emptyTables(api.db, 'job_runs, job_keys, job_definitions, published_events, worker_contracts');
  await registerDefinitions(api.db, [receipt]);
});

test('an event that is published is a job for each type that subscribes, and with its key the same ones again', async () => {
  const first = await publish(1, { idempotencyKey: 'order 1' });
  expect([first.status, first.body]).toEqual([
    202,
    { id: expect.any(String), deduplicated: false, jobs: [{ type: 'send_receipt', id: expect.any(String) }] },
  ]);
  const [job] = first.body.jobs;
  expect((await api.get(`/v1/jobs/${job.id}`)).body).toMatchObject({ type: 'send_receipt', payload: { n: 1 } });
  const again = await publish(1, { idempotencyKey: 'order 1' });
  expect([again.status, again.body]).toMatchObject([200, { deduplicated: true, jobs: [job] }]);
});

test('an event of this program to which nobody subscribes makes no job', async () => {
  const { status, body } = await publish(1, {}, 'order_refunded');
  expect([status, body]).toEqual([202, { id: null, deduplicated: false, jobs: [] }]);
});

test('an event that is not known, and a payload that is not its own, are refused, and nothing is enqueued', async () => {
  const unknown = await publish(1, {}, 'order_payed');
  expect([unknown.status, unknown.body.code]).toEqual([404, 'event_not_found']);
  expect(unknown.text).toContain('order_paid');
  const wrong = await publish('one');
  expect([wrong.status, wrong.body.code]).toEqual([422, 'invalid_payload']);
  expect(wrong.body.errors).toMatchObject([{ pointer: '/payload/n' }]);
  expect(await api.db.jobRun.count()).toBe(0);
});

test('events are listed with who subscribes, and a new subscriber is given what is kept, once', async () => {
  for (const n of [1, 2, 3]) await publish(n);
  await registerDefinitions(api.db, [book]);
  const { body } = await api.get(PATH);
  expect(body.events).toMatchObject([
    {
      event: 'order_paid',
      keepMs: 604_800_000,
      subscribers: [
        { type: 'book', queue: 'ledger', isSubscribed: true, workers: [] },
        { type: 'send_receipt', isSubscribed: true },
      ],
    },
  ]);
  const asked = { to: 'book', from: EPOCH };
  expect((await api.post(`${PATH}/order_paid/replay/preview`, asked)).body).toEqual({ events: 3, isAtLeast: false });
  expect((await api.post(`${PATH}/order_paid/replay`, asked)).body).toEqual({ replayed: 3, nextFrom: null });
  expect((await api.post(`${PATH}/order_paid/replay`, asked)).body).toEqual({ replayed: 0, nextFrom: null });
  expect(await api.db.jobRun.count({ where: { jobType: 'book' } })).toBe(3);
});

test('a subscription is ended once no worker has its contract, and then no event makes a job of it', async () => {
  const { status, body } = await api.post(`${PATH}/order_paid/unsubscribe`, { type: 'send_receipt', reason: 'gone' });
  expect([status, body]).toEqual([200, { event: 'order_paid', type: 'send_receipt' }]);
  expect((await publish(1)).body.jobs).toEqual([]);
  const again = await api.post(`${PATH}/order_paid/replay`, { to: 'send_receipt', from: EPOCH });
  expect(again.body.code).toBe('not_subscribed');
});
