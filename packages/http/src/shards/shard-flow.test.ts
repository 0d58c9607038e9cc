import { registerDefinitions } from '@duework/queue-core';
import { catalog } from '@duework/shop';
import { expect, test } from '@jest/globals';
import { useTestShards } from '../testing/use-test-shards.js';

const api = useTestShards(['a', 'b'], (options) => ({ ...options, shardOf: () => undefined }));

const confirm = (customerId: number) => ({
  type: 'confirm_order',
  payload: { orderId: customerId, customerId },
  idempotencyKey: `c${customerId}`,
});

test('a flow rule holds in each shard, is changed in all, and its keys are listed with their shards', async () => {
  for (const shard of ['a', 'b']) {
    await registerDefinitions(api.db(shard), catalog);
    for (const customer of [1, 2, 3])
      expect(await api.ask('POST', `/v1/jobs?shard=${shard}`, confirm(customer))).toMatchObject({ status: 202 });
    await api.db(shard).$queryRaw`SELECT duework.take_looks(1000)`;
  }
  await api.post('/v1/jobs?shard=b', confirm(4));

  const { rules } = await api.get('/v1/flow');
  expect(rules).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'limit/smtp', shard: 'a' }),
      expect.objectContaining({ name: 'limit/smtp', shard: 'b' }),
    ]),
  );
  expect(await api.get('/v1/flow/limit/smtp')).toMatchObject({
    terms: { max: 5 },
    shards: [{ shard: 'a' }, { shard: 'b' }],
  });
  expect(await api.post('/v1/flow/limit/smtp/preview', { change: { max: 2 } })).toMatchObject({
    before: { max: 5 },
    after: { max: 2 },
    problems: [],
  });
  expect(await api.ask('PATCH', '/v1/flow/limit/smtp', { change: { max: 2 } })).toMatchObject({
    status: 200,
    body: {
      terms: { max: 2 },
      problems: [],
      shards: [
        { shard: 'a', terms: { max: 2 } },
        { shard: 'b', terms: { max: 2 } },
      ],
    },
  });
  expect(await api.ask('PATCH', '/v1/flow/limit/smtp?shard=b', { change: { max: 3 } })).toMatchObject({ status: 200 });
  expect(await api.get('/v1/flow/limit/smtp')).toMatchObject({
    shards: [
      { shard: 'a', terms: { max: 2 } },
      { shard: 'b', terms: { max: 3 } },
    ],
  });
  expect(await api.post('/v1/flow/limit/smtp/close', { for: '10m' })).toMatchObject({
    shards: ['a', 'b'],
    problems: [],
  });
  expect((await api.get('/v1/flow/limit/smtp/keys')).keys).toMatchObject([
    { key: 'limit/smtp', shard: 'a', closedUntil: expect.any(String) },
    { key: 'limit/smtp', shard: 'b', closedUntil: expect.any(String) },
  ]);
  expect(await api.post('/v1/flow/limit/smtp/open')).toMatchObject({ shards: ['a', 'b'] });
  expect(await api.ask('GET', '/v1/flow/limit/nothing')).toMatchObject({
    status: 404,
    body: { code: 'flow_rule_not_found' },
  });

  // a key with its value is no rule
  for (const path of ['limit/smtp%2F7/open', 'limit%2Fsmtp/7/open', 'tenant/default%2F1/open'])
    expect(await api.ask('POST', `/v1/flow/${path}`, {})).toMatchObject({
      status: 404,
      body: { code: 'flow_rule_not_found' },
    });

  const tenant = rules.find(({ kind }: { kind: string }) => kind === 'tenant').name;
  const all: string[] = [];
  let cursor = '';
  do {
    const page = await api.get(`/v1/flow/${tenant}/keys?limit=2${cursor && `&cursor=${cursor}`}`);
    expect(page).toMatchObject({ problems: [] });
    all.push(...page.keys.map(({ key, shard }: { key: string; shard: string }) => `${shard} ${key.split('/').at(-1)}`));
    cursor = page.nextCursor ?? '';
  } while (cursor !== '');
  expect(all).toEqual([...new Set(all)]);
  expect(all.length).toBeGreaterThanOrEqual(6);
});
