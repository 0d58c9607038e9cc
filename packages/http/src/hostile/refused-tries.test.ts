import { request } from 'node:http';
import { defineCatalog, defineJob, defineSignal } from '@duework/contracts';
import { createKey, type Scope } from '@duework/operate';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { authorizeByKey } from '../access/authorize/authorize-by-key.js';
import { ask, type Answer, useTestApi } from '../testing/use-test-api.js';

const job = (type: string) => defineJob({ type, payload: z.object({ n: z.int().default(1) }) });
const catalog = defineCatalog([job('pay'), job('cb')]);
const paid = defineSignal({ name: 'paid', by: ['orderId'], payload: z.object({ orderId: z.string() }) });
const api = useTestApi((parts) => ({ catalog, signals: [paid], authorize: authorizeByKey(parts.db) }));
const local = useTestApi(() => ({ catalog }));

const KEYS: Readonly<Record<string, readonly [scopes: readonly Scope[], types?: readonly string[]]>> = {
  all: [['enqueue', 'read', 'payloads', 'operate', 'schedules', 'admin']],
  pay: [['enqueue', 'signal', 'read', 'payloads', 'operate'], ['pay']],
  cb: [['enqueue', 'signal'], ['cb']],
  read: [['read']],
  values: [['read', 'payloads']],
  operate: [['read', 'operate']],
  enqueue: [['enqueue']],
  signal: [['signal']],
};
const tokens: Record<string, string> = {};
let batch = '';
beforeAll(async () => {
  for (const [name, [scopes, types]] of Object.entries(KEYS))
    tokens[name] = (await createKey(api.db, { name, scopes, ...(types === undefined ? {} : { types }) })).text;
  batch = (await send('all', 'POST', '/v1/batches', { jobs: [{ type: 'pay', payload: {}, delaySeconds: 3_600 }] })).body
    .id;
});

function send(key: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = { Authorization: `Bearer ${tokens[key]}`, 'Content-Type': 'application/json' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ask(api.url + path, { method, headers, ...(body === undefined ? {} : { body: text }) });
}
const codeOf = async (key: string, method: string, path: string, body?: unknown): Promise<string> => {
  const { status, text } = await send(key, method, path, body);
  return status < 300 ? String(status) : `${status} ${(JSON.parse(text) as { code: string }).code}`;
};

describe('a signal', () => {
  test.each([
    ['pay', '403 limited_to_types'],
    ['cb', '403 limited_to_types'],
    ['read', '403 missing_scope'],
    ['values', '403 missing_scope'],
    ['operate', '403 missing_scope'],
    ['enqueue', '403 missing_scope'],
    ['signal', '200'],
  ])('is sent by a key for signals that is for every type alone: %s', async (key, code) => {
    expect(await codeOf(key, 'POST', '/v1/signals/paid', { orderId: key })).toBe(code);
  });

  test.each<[string, unknown, string]>([
    ['paid', null, '422 invalid_payload'],
    ['paid', [], '422 invalid_payload'],
    ['paid', 1, '422 invalid_payload'],
    ['paid', {}, '422 invalid_payload'],
    ['paid', '{"orderId":"a\\u0000"}', '422 payload_not_storable'],
    ['paid', '{"orderId":"\\ud800"}', '422 payload_not_storable'],
    ['paid', { orderId: 'x'.repeat(300) }, '422 payload_not_storable'],
    ['paid', { orderId: '😀' }, '200'],
    ['__proto__', { orderId: 'a' }, '404 not_found'],
    ['%00', { orderId: 'a' }, '404 not_found'],
    ['%ff', { orderId: 'a' }, '404 not_found'],
  ])('%s with %j', async (name, body, code) => {
    expect(await codeOf('signal', 'POST', `/v1/signals/${name}`, body)).toBe(code);
  });
});

describe('a batch', () => {
  const jobs = [{ type: 'cb', payload: {}, delaySeconds: 3_600 }];
  test.each<[string, unknown, string]>([
    ['onSettled', { type: 'pay' }, '403 missing_scope'],
    ['onSucceeded', { type: 'pay' }, '403 missing_scope'],
    ['onFirstDead', { type: 'pay' }, '403 missing_scope'],
    ['onSettled', { type: 'no_such_type' }, '403 missing_scope'],
    ['onSettled', [], '422 invalid_body'],
    ['onSettled', null, '422 invalid_body'],
    ['onSettled', { type: ['cb'] }, '422 invalid_body'],
    ['onSettled', { type: 'cb', payload: {} }, '202'],
  ])('has a callback that its key may enqueue: %s %j', async (moment, callback, code) => {
    expect(await codeOf('cb', 'POST', '/v1/batches', { jobs, [moment]: callback })).toBe(code);
  });

  test('whose callback names its type twice is checked by the one that is written', async () => {
    const twice = (types: string) => `{"jobs":[],"onSettled":{${types}}}`;
    expect(await codeOf('cb', 'POST', '/v1/batches', twice('"type":"cb","type":"pay"'))).toBe('403 missing_scope');
    expect(await codeOf('cb', 'POST', '/v1/batches', twice('"type":"pay","type":"cb","payload":{}'))).toBe('202');
  });

  test.each([
    ['cb', 'GET', ''],
    ['cb', 'POST', '/jobs'],
    ['cb', 'POST', '/cancel'],
    ['pay', 'GET', ''],
    ['pay', 'POST', '/jobs'],
    ['pay', 'POST', '/cancel'],
  ])('is closed to a key for some types: %s %s %s', async (key, method, verb) => {
    const body = method === 'GET' ? undefined : { jobs };
    expect(await codeOf(key, method, `/v1/batches/${batch}${verb}`, body)).toMatch(
      /^403 (limited_to_types|missing_scope)$/,
    );
  });

  test.each(['%00', 'a%00b', '%ff', '%E4%B8', '__proto__'])('has no id like %s', async (id) => {
    for (const [method, verb, body] of [
      ['GET', '', undefined],
      ['POST', '/jobs', { jobs }],
      ['POST', '/cancel', {}],
    ] as const)
      expect(await codeOf('all', method, `/v1/batches/${id}${verb}`, body)).toMatch(
        /^404 (batch_not_found|not_found)$/,
      );
  });

  test.each(['a\nb', 'a\0b', '\u202egpj.exe', 'a\u2066b', '', ' ', 'x'.repeat(201)])(
    'has no name like %j',
    async (name) => {
      expect(await codeOf('all', 'POST', '/v1/batches', { name, jobs })).toBe('422 invalid_body');
    },
  );
});

test.each(['%00', 'a%00b', '%ff'])('there is no API key called %s', async (name) => {
  expect(await codeOf('all', 'POST', `/v1/api-keys/${name}/revoke`, {})).toMatch(/^404 (api_key_not_found|not_found)$/);
});

test.each(['\0', '\ud800', '$graph', '__proto__', ''])('no job is retried from a step called %j', async (fromStep) => {
  const { id } = (await send('all', 'POST', '/v1/jobs', { type: 'pay', payload: {}, delaySeconds: 3_600 })).body;
  const body = JSON.stringify({ fromStep });
  expect(await codeOf('all', 'POST', `/v1/jobs/${id}/retry`, body)).toMatch(/^(404 step_not_found|422 invalid_body)$/);
});

describe('a program on this machine that trusts its own address', () => {
  const get = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(local.url);
      const sent = request({ hostname, port, path: '/v1/principal', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode!));
      });
      sent.on('error', reject).end();
    });

  test.each(['evil.com', 'localhost.evil.com', '127.0.0.1.nip.io', '2130706433', '0.0.0.0', 'localhost.'])(
    'does not trust a page that has another name for it: Host %s',
    async (host) => expect(await get({ Host: host })).toBe(401),
  );

  test.each(['http://evil.com', 'null', 'https://127.0.0.1', 'file://', 'chrome-extension://abc'])(
    'nor one that comes from elsewhere: Origin %s',
    async (origin) => expect(await get({ Origin: origin })).toBe(401),
  );

  test.each(['cross-site', 'same-site'])('nor a request that a browser calls %s', async (site) => {
    expect(await get({ 'Sec-Fetch-Site': site })).toBe(401);
  });

  test.each([{ 'X-Forwarded-For': '127.0.0.1' }, { Forwarded: 'for=127.0.0.1' }])(
    'nor a proxy: %j',
    async (headers) => {
      expect(await get(headers as Record<string, string>)).toBe(401);
    },
  );

  test('and itself it does', async () => expect(await get({})).toBe(200));
});
