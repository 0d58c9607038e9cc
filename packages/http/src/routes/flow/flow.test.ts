import { defineCatalog, defineJob } from '@duework/contracts';
import { registerDefinitions } from '@duework/queue-core';
import { emptyTables } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ask, useTestApi } from '../../testing/use-test-api.js';

const mail = defineJob({
  type: 'mail',
  payload: z.object({ account: z.int() }),
  limits: [
    { name: 'smtp', max: 1 },
    { by: 'account', max: 1 },
  ],
});
const catalog = defineCatalog([mail]);
const api = useTestApi(() => ({ catalog }));

const send = (method: string, path: string, body: object) =>
  ask(api.url + path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

beforeEach(async () => {
  await emptyTables(api.db, 'job_runs, flow_rules, flow_keys, flow_waits, flow_looks');
  await registerDefinitions(api.db, catalog);
  for (const account of [7, 7, 8]) await api.post('/v1/jobs', { type: 'mail', payload: { account } });
  await api.db.$queryRaw`SELECT duework.take_looks(1000)`;
});

test('the rules are listed with what holds, how many run and how many wait', async () => {
  const { status, body } = await api.get('/v1/flow');
  expect(status).toBe(200);
  expect(body.rules).toMatchObject([
    { name: 'limit/mail.account', terms: { max: 1 }, types: ['mail'], running: 1 },
    { name: 'limit/smtp', kind: 'limit', declared: { max: 1 }, changed: null, running: 1, waiting: 2 },
  ]);
});

test('who waits at a gate is counted as held, in queues and in the figures for Prometheus', async () => {
  await api.post('/v1/jobs', { type: 'mail', payload: { account: 9 }, delaySeconds: 3_600 });
  expect((await api.get('/v1/queues')).body.queues).toMatchObject([
    { queue: 'default', type: 'mail', due: 1, held: 2, scheduled: 1, running: 0 },
  ]);
  const { text } = await api.get('/metrics');
  for (const [state, n] of Object.entries({ due: 1, held: 2, scheduled: 1, running: 0 }))
    expect(text).toContain(`duework_jobs{queue="default",type="mail",state="${state}"} ${n}\n`);
});

test('the keys of a rule are listed page by page, with who holds them', async () => {
  const first = await api.get('/v1/flow/limit/mail.account/keys?limit=1');
  expect(first.body).toMatchObject({
    keys: [{ value: '7', used: 1, holders: [{ type: 'mail' }] }],
    nextCursor: expect.any(String),
  });
  const rest = await api.get(`/v1/flow/limit/mail.account/keys?cursor=${encodeURIComponent(first.body.nextCursor)}`);
  expect(rest.body).toMatchObject({ keys: [{ value: '8', used: 0 }], nextCursor: null });
});

test('the keys of a rule are found by what they begin with, and by what goes on at them', async () => {
  const found = async (query: string) =>
    (await api.get(`/v1/flow/limit/mail.account/keys?${query}`)).body.keys.map(({ value }: { value: string }) => value);
  expect(await found('value=8')).toEqual(['8']);
  expect(await found('busy=true')).toEqual(['7']);
  expect((await api.get('/v1/flow/limit/mail.account/keys?busy=yes')).status).toBe(400);
});

test('a change is told before, is made, and is taken back', async () => {
  const change = { max: 5 };
  expect((await api.post('/v1/flow/limit/smtp/preview', { change })).body).toMatchObject({
    after: change,
    letIn: 2,
    over: 0,
  });
  const changed = await send('PATCH', '/v1/flow/limit/smtp', { change, reason: 'the provider allows more' });
  expect(changed).toMatchObject({
    status: 200,
    body: { declared: { max: 1 }, terms: { max: 5 }, changedBy: expect.any(String) },
  });
  expect((await send('PATCH', '/v1/flow/limit/smtp', { change: null })).body).toMatchObject({
    changed: null,
    terms: { max: 1 },
  });
});

test('a key is closed and opened', async () => {
  const closed = await api.post('/v1/flow/limit/mail.account/close', { for: '10m', value: '7' });
  expect(closed.body).toMatchObject({ key: 'limit/mail.account/7', closedUntil: expect.any(String) });
  expect((await api.post('/v1/flow/limit/mail.account/open', { value: '7' })).body).toMatchObject({
    closedUntil: null,
  });
  expect((await api.post('/v1/flow/limit/smtp/close', { for: '10m' })).body).toMatchObject({ key: 'limit/smtp' });
  expect((await api.post('/v1/flow/limit/smtp/close', { for: '30d' })).status).toBe(200);
  expect((await api.post('/v1/flow/limit/smtp/open')).body).toMatchObject({ key: 'limit/smtp', closedUntil: null });
});

test.each([
  ['a rule that is not there', 'PATCH', '/v1/flow/limit/none', { change: { max: 1 } }, 404, 'flow_rule_not_found'],
  ['a kind that is none', 'POST', '/v1/flow/none/smtp/close', { for: '1m' }, 404, 'flow_rule_not_found'],
  ['a bound of none', 'PATCH', '/v1/flow/limit/smtp', { change: { max: 0 } }, 422, 'invalid_option'],
  ['a field that is none', 'PATCH', '/v1/flow/limit/smtp', { change: { most: 1 } }, 422, 'invalid_body'],
  ['more than ten years', 'POST', '/v1/flow/limit/smtp/close', { for: '3651d' }, 422, 'invalid_option'],
  ['no duration', 'POST', '/v1/flow/limit/smtp/close', { for: 'long' }, 422, 'invalid_option'],
])('%s is refused', async (_, method, path, body, status, code) => {
  expect(await send(method, path, body)).toMatchObject({ status, body: { code } });
});
