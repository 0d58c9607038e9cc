import { afterEach, expect, test } from '@jest/globals';
import { useTestShards } from '../../testing/use-test-shards.js';
import { createPostgresStore } from '@duework/queue-core';

const api = useTestShards(['a', 'b']);
afterEach(() => api.restore());

test('the slots of a queue are changed in each shard, and what it does is told of all of them', async () => {
  const load = { slots: 10, declaredSlots: 10, running: 0, buffered: 0, loopDelayMs: 0, shutBy: null };
  for (const shard of ['a', 'b'])
    await createPostgresStore({ db: api.db(shard) }).announceContracts({
      worker: `of-${shard}`,
      queues: ['default'],
      contracts: new Map(),
      load,
    });
  const path = '/v1/queues/default/slots';
  expect(await api.post(`${path}/preview`, { slots: 20 })).toMatchObject({ before: 20, after: 40 });
  expect(await api.db('b').queueSlots.count()).toBe(0);
  expect((await api.ask('PATCH', path, { slots: 20 })).body).toMatchObject({
    before: 20,
    after: 40,
    workers: [{ name: 'of-a' }, { name: 'of-b' }],
    shards: ['a', 'b'],
  });
  for (const shard of ['a', 'b']) expect(await api.db(shard).queueSlots.findMany()).toMatchObject([{ slots: 20 }]);
  api.proxy('b').refuse();
  expect((await api.ask('PATCH', path, { slots: null })).body).toMatchObject({
    shards: ['a'],
    problems: [{ shard: 'b' }],
  });
  expect(await api.post(`${path}/preview`, { slots: 0 })).toMatchObject({ code: 'invalid_option' });
});
