import { defineCatalog, defineEvent, defineSubscriber } from '@duework/contracts';
import { createPostgresStore, registerDefinitions } from '@duework/queue-core';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { useTestShards } from '../testing/use-test-shards.js';

const paid = defineEvent({ name: 'order_paid', payload: z.object({ n: z.int() }), keep: '7d' });
const receipt = defineSubscriber({ type: 'send_receipt', on: paid });
const book = defineSubscriber({ type: 'book', on: paid });
const shipped = defineEvent({ name: 'goods_shipped', payload: z.object({ n: z.int() }) });
const tell = defineSubscriber({ type: 'tell', on: shipped });
const catalog = defineCatalog([receipt, book, tell]);
const api = useTestShards(['a', 'b'], (options) => ({ ...options, catalog, shardOf: () => undefined }));
const PATH = '/v1/published-events/order_paid';

test('an event belongs to one shard; who subscribes in any shard is listed once, and a replay gives what each has kept', async () => {
  for (const shard of ['a', 'b']) await registerDefinitions(api.db(shard), [receipt]);
  expect(await api.ask('POST', PATH, { payload: { n: 1 } })).toMatchObject({
    status: 400,
    body: { code: 'shard_not_given' },
  });
  for (const [shard, n] of [
    ['a', 1],
    ['b', 2],
    ['b', 3],
  ] as const)
    expect(await api.post(`${PATH}?shard=${shard}`, { payload: { n } })).toMatchObject({
      jobs: [{ type: 'send_receipt', id: expect.stringMatching(new RegExp(String.raw`^${shard}\.\d+$`)) }],
    });

  // a deploy that has come to one shard alone
  await registerDefinitions(api.db('b'), [tell]);
  await registerDefinitions(api.db('b'), [book]);
  for (const [shard, worker] of [
    ['a', 'w1'],
    ['b', 'w2'],
  ] as const)
    await createPostgresStore({ db: api.db(shard) }).announceContracts({
      worker,
      queues: ['default'],
      contracts: new Map([[receipt.type, receipt]]),
    });
  expect((await api.get('/v1/published-events')).events).toMatchObject([
    { event: 'goods_shipped', keepMs: null, subscribers: [{ type: 'tell' }] },
    {
      event: 'order_paid',
      subscribers: [
        { type: 'book', workers: [] },
        { type: 'send_receipt', isSubscribed: true, workers: ['w1', 'w2'] },
      ],
    },
  ]);

  await registerDefinitions(api.db('a'), [book]);
  const asked = { to: 'book', from: '1970-01-01T00:00:00Z' };
  expect(await api.post(`${PATH}/replay/preview`, asked)).toMatchObject({ events: 3, isAtLeast: false, problems: [] });
  expect(await api.post(`${PATH}/replay`, asked)).toMatchObject({ replayed: 3, nextFrom: null });
  expect(await api.post(`${PATH}/replay`, asked)).toMatchObject({ replayed: 0, nextFrom: null });
});
