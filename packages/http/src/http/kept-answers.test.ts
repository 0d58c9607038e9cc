import { emptyTables } from '@duework/testing/fixtures';
import { randomBytes } from 'node:crypto';
import { defineCatalog, defineJob } from '@duework/contracts';
import { createKey, revokeKey, type Scope } from '@duework/operate';
import { createKeyRing, enqueue, setKeyRing } from '@duework/queue-core';
import { afterEach, afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { authorizeByKey } from '../access/authorize/authorize-by-key.js';
import { type Answer, useTestApi } from '../testing/use-test-api.js';
import { waitUntil } from '../testing/wait-until.js';

const [OLD, NEW] = ['DE89370400440532013000', 'FR1420041010050500013M02606'];
const pay = defineJob({
  type: 'pay',
  payload: z.object({ orderId: z.int(), iban: z.string().max(30) }),
  sensitive: ['/iban'],
});
const api = useTestApi((parts) => ({ catalog: defineCatalog([pay]), authorize: authorizeByKey(parts.db) }));

/** What a person may enqueue, whose roles change while their answers are kept. */
let types: string[] | null = null;
const people = useTestApi(() => ({
  catalog: defineCatalog([pay]),
  authorize: async () => ({
    id: 'person:1',
    name: 'person:ana',
    kind: 'person',
    scopes: ['enqueue'],
    types,
    from: null,
  }),
}));

const keys: Record<string, string> = {};
beforeAll(async () => {
  const make = async (name: string, ...scopes: Scope[]) =>
    (keys[name] = (await createKey(api.db, { name, scopes })).text);
  await make('shop', 'enqueue');
  await make('office', 'enqueue');
  await make('read', 'read');
  await make('operate', 'operate', 'read');
  await make('payloads', 'operate', 'read', 'payloads');
  await make('all', 'operate', 'read', 'payloads', 'sensitive');
});
afterEach(() => api.bulkActionsEnded());
beforeEach(async () => {
  setKeyRing(createKeyRing({ current: 'k1', keys: { k1: randomBytes(32).toString('base64') } }));
  await emptyTables(api.db, 'job_runs, kept_answers');
});
afterAll(() => setKeyRing(null));

const headers = (who: string, repeat?: string) => ({
  Authorization: `Bearer ${keys[who]}`,
  'Content-Type': 'application/json',
  ...(repeat === undefined ? {} : { 'Idempotency-Key': repeat }),
});
const post = (who: string, path: string, body: object, repeat?: string): Promise<Answer> =>
  api.post(path, body, headers(who, repeat));
const kept = async (): Promise<string> =>
  JSON.stringify(await api.db.$queryRaw`SELECT a::text AS kept FROM duework.kept_answers AS a ORDER BY principal, key`);
const edit = (more: object) => ({ verb: 'edit_payload', filter: 'type:pay', path: ['orderId'], value: 2, ...more });
const payment = { type: 'pay', payload: { orderId: 1, iban: OLD } };

test('an answer that is kept has no sensitive value, of a job or of a bulk action', async () => {
  expect((await post('shop', '/v1/jobs', payment, 'a')).status).toBe(202);
  expect((await post('shop', '/v1/jobs/batch', { jobs: [payment] }, 'b')).status).toBe(202);
  const { status, body } = await post('all', '/v1/bulk-actions', edit({ path: ['iban'], value: NEW }), 'c');
  expect([status, body.options.value]).toEqual([202, '[sensitive]']);
  expect(await api.db.keptAnswer.count()).toBe(3);
  expect(await kept()).not.toMatch(new RegExp(`${OLD}|${NEW}`));
});

test('is for the principal that asked: another one with the same Idempotency-Key acts itself', async () => {
  const first = await post('shop', '/v1/jobs', payment, 'same');
  const other = await post('office', '/v1/jobs', payment, 'same');
  expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([202, null]);
  expect(other.body.id).not.toBe(first.body.id);
  const again = await post('shop', '/v1/jobs', payment, 'same');
  expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
});

test('is not for a key that has the name of a revoked one, and other rights', async () => {
  const make = async (types: string[]) =>
    (keys['twin'] = (await createKey(api.db, { name: 'twin', scopes: ['enqueue'], types })).text);
  await make(['pay']);
  const [one, many] = [payment, { jobs: [payment] }];
  expect((await post('twin', '/v1/jobs', one, 'one')).status).toBe(202);
  expect((await post('twin', '/v1/jobs/batch', many, 'many')).status).toBe(202);
  await revokeKey(api.db, 'twin');
  await make(['other']);
  for (const [path, body, repeat] of [
    ['/v1/jobs', one, 'one'],
    ['/v1/jobs/batch', many, 'many'],
  ] as const) {
    const answer = await post('twin', path, body, repeat);
    expect([answer.status, answer.body.code, answer.headers.get('idempotency-replayed')]).toEqual([
      403,
      'missing_scope',
      null,
    ]);
  }
});

test('is not for a person who may no longer enqueue that type', async () => {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'p' };
  const send = (path: string, body: object) => people.post(path, body, headers);
  for (const [path, body] of [
    ['/v1/jobs', payment],
    ['/v1/jobs/batch', { jobs: [payment] }],
  ] as const) {
    await emptyTables(people.db, 'kept_answers');
    types = null;
    expect((await send(path, body)).status).toBe(202);
    types = ['other'];
    const answer = await send(path, body);
    expect([answer.status, answer.body.code]).toEqual([403, 'missing_scope']);
    types = ['pay'];
    expect((await send(path, body)).headers.get('idempotency-replayed')).toBe('true');
  }
});

test('a bulk action that is sent again under its Idempotency-Key begins once', async () => {
  await enqueue(api.db, pay, payment.payload);
  const before = await api.db.bulkAction.count();
  const request = { verb: 'change_priority', filter: 'type:pay', priority: 1 };
  const first = await post('operate', '/v1/bulk-actions', request, 'd');
  const again = await post('operate', '/v1/bulk-actions', request, 'd');
  expect([first.status, again.status, again.text]).toEqual([202, 202, first.text]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.headers.get('location')).toBe(`/v1/bulk-actions/${first.body.id}`);
  expect(await api.db.bulkAction.count()).toBe(before + 1);
  const reused = await post('operate', '/v1/bulk-actions', { ...request, priority: 2 }, 'd');
  expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused']);
  await waitUntil('it is done behind the answer', async () => {
    const { body } = await api.get(`/v1/bulk-actions/${first.body.id}`, headers('read'));
    return body.status === 'finished' && body.done === 1;
  });
});

test('payloads are edited by who may read them, and what is sensitive by who may see it', async () => {
  await enqueue(api.db, pay, payment.payload);
  const sensitive = edit({ path: ['iban'], value: NEW });
  for (const path of ['/v1/bulk-actions/preview', '/v1/bulk-actions']) {
    const refused = await post('operate', path, edit({}));
    expect([refused.status, refused.body.code]).toEqual([403, 'missing_scope']);
    expect(refused.body).toMatchObject({ errors: [{ pointer: '/path' }] });
    expect(refused.headers.get('www-authenticate')).toContain('scope="payloads"');
    expect((await post('payloads', path, sensitive)).headers.get('www-authenticate')).toContain('scope="sensitive"');
    expect((await post('payloads', path, edit({}))).status).toBeLessThan(300);
    expect((await post('all', path, sensitive)).status).toBeLessThan(300);
  }
});

test('of a bulk action, values of payloads are shown to who may read payloads, and to nobody else', async () => {
  await enqueue(api.db, pay, { orderId: 4711, iban: OLD });
  const { body } = await post(
    'payloads',
    '/v1/bulk-actions',
    edit({ filter: 'type:pay payload.orderId:4711', value: 90812 }),
  );
  expect(body).toMatchObject({ filter: 'type:pay payload.orderId:4711', options: { path: ['orderId'], value: 90812 } });
  for (const path of [
    `/v1/bulk-actions/${body.id}`,
    '/v1/bulk-actions',
    `/v1/audit?kind=bulk_action&target=${body.id}`,
  ]) {
    const { text } = await api.get(path, headers(path.includes('audit') ? 'operate' : 'read'));
    expect(text).not.toMatch(/4711|90812/);
    expect(text).toContain('payload.orderId:');
  }
  expect((await api.get(`/v1/bulk-actions/${body.id}`, headers('payloads'))).text).toContain('4711');
});

test('what a contract calls sensitive that this server does not have is not asked for, or kept, either', async () => {
  await api.db.$executeRaw`
    INSERT INTO duework.job_definitions (type, version, queue, priority, max_attempts, timeout_ms, lease_ms, retry, payload_schema, sensitive)
    VALUES ('refund', 1, 'default', 5, 3, 1000, 1000, '{}', '{}', ARRAY['/bank/account'])`;
  const filter = 'type:refund payload.bank.account:12345678';
  for (const path of ['/v1/jobs', '/v1/jobs/count']) {
    const refused = await api.get(`${path}?filter=${encodeURIComponent(filter)}`, headers('payloads'));
    expect([refused.status, refused.body.code]).toEqual([403, 'missing_scope']);
    expect((await api.get(`${path}?filter=${encodeURIComponent(filter)}`, headers('all'))).status).toBe(200);
  }
  const kept = await post('all', '/v1/bulk-actions', { verb: 'cancel', filter });
  expect([kept.status, kept.body.code]).toEqual([422, 'bulk_action_refused']);
});
