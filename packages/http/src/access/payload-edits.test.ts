import { defineCatalog, defineJob } from '@duework/contracts';
import { createKey, type Scope } from '@duework/operate';
import { enqueue, registerDefinitions } from '@duework/queue-core';

import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type AnyJson, ask, useTestApi } from '../testing/use-test-api.js';
import { waitUntil } from '../testing/wait-until.js';
import { authorizeByKey } from './authorize/authorize-by-key.js';

const pay = defineJob({
  type: 'pay',
  payload: z.object({ n: z.int(), iban: z.string() }),
  sensitive: ['/iban'],
});
const ping = defineJob({ type: 'ping', payload: z.object({ n: z.int() }) });
const catalog = defineCatalog([pay, ping]);
const api = useTestApi(({ db }) => ({ catalog, authorize: authorizeByKey(db) }));
const keys: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  await registerDefinitions(api.db, catalog);
  const scopes: Record<string, readonly Scope[]> = {
    plain: ['operate', 'read', 'enqueue', 'schedules', 'admin'],
    payloads: ['operate', 'read', 'payloads'],
    sensitive: ['operate', 'read', 'sensitive'],
  };
  for (const [name, given] of Object.entries(scopes)) {
    const { text } = await createKey(api.db, { name, scopes: given });
    keys[name] = { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' };
  }
});

const ids: Record<string, string> = {};
afterEach(() => api.bulkActionsEnded());
beforeEach(async () => {
  await api.db
    .$executeRaw`TRUNCATE duework.job_runs, duework.job_history, duework.job_keys, duework.bulk_actions CASCADE`;
  ids['pay'] = (await enqueue(api.db, pay, { n: 1, iban: 'DE89370400440532013000' }, { delay: '1h' })).id;
  ids['ping'] = (await enqueue(api.db, ping, { n: 1 }, { delay: '1h' })).id;
});

const patch = (who: string, type: string, body: object) =>
  ask(`${api.url}/v1/jobs/${ids[type]}`, { method: 'PATCH', headers: keys[who]!, body: JSON.stringify(body) });
const edit = (who: string, type: string, path: readonly string[], value: unknown) =>
  api.post('/v1/bulk-actions', { verb: 'edit_payload', filter: `type:${type}`, path, value }, keys[who]!);
const stored = (): Promise<unknown> =>
  api.db.$queryRaw`SELECT payload FROM duework.job_runs ORDER BY id`.then((rows) => JSON.stringify(rows));

const scopeOf = ({ status, body }: { status: number; body: AnyJson }) =>
  status === 403 ? /lacks the scope (\w+)/.exec(body.detail)![1] : status;
const attackers = { pay: { n: 1, iban: 'ATTACKER' }, ping: { n: 2 } };

test.each([
  ['plain', 'pay', 'payloads'],
  ['plain', 'ping', 'payloads'],
  ['payloads', 'pay', 'sensitive'],
  ['payloads', 'ping', 200],
  ['sensitive', 'pay', 200],
  ['sensitive', 'ping', 200],
] as const)('a key with the scopes %s that replaces the payload of a job of type %s: %s', async (who, type, what) => {
  const before = await stored();
  expect(scopeOf(await patch(who, type, { payload: attackers[type], priority: 3 }))).toBe(what);
  if (what === 200) expect(await stored()).not.toBe(before);
  else expect(await stored()).toBe(before);
});

test('what a payload would be refused for is told to nobody who may not replace it', async () => {
  const refused = await patch('plain', 'pay', { payload: { n: 'x' } });
  expect(refused).toMatchObject({ status: 403, body: { code: 'missing_scope', errors: [{ pointer: '/payload' }] } });
  expect((await patch('plain', 'pay', { priority: 3 })).status).toBe(200);
});

test.each([
  ['plain', 'ping', ['n'], 'payloads'],
  ['payloads', 'pay', ['iban'], 'sensitive'],
  ['payloads', 'pay', ['n'], 202],
] as const)('a bulk edit asks for the same: %s, type %s, %j: %s', async (who, type, path, what) => {
  expect(scopeOf(await edit(who, type, path, 7))).toBe(what);
});

test.each([
  ['n', 7, { plain: 'payloads', payloads: 202 }],
  ['iban', 'GB29NWBK60161331926819', { plain: 'payloads', payloads: 'sensitive', sensitive: 202 }],
] as const)('the undo of an edit of %s asks for what the edit asks for', async (field, value, expected) => {
  const { body } = await edit('sensitive', 'pay', [field], value);
  await waitUntil('the edit has ended', async () => {
    return (await api.get(`/v1/bulk-actions/${body.id}`, keys['plain']!)).body.status === 'finished';
  });
  for (const [who, what] of Object.entries(expected))
    expect(scopeOf(await api.post(`/v1/bulk-actions/${body.id}/undo`, {}, keys[who]!))).toBe(what);
});
