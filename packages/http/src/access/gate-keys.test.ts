import { defineCatalog, defineJob } from '@duework/contracts';
import { createKey, type Scope } from '@duework/operate';
import { registerDefinitions } from '@duework/queue-core';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { readEvents } from '../testing/read-events.js';
import { type AnyJson, ask, useTestApi } from '../testing/use-test-api.js';
import { authorizeByKey } from './authorize/authorize-by-key.js';

const mail = defineJob({
  type: 'mail',
  payload: z.object({ account: z.string(), pages: z.int() }),
  tenant: 'account',
  limits: [
    { name: 'printer', max: 10, cost: 'pages' },
    { by: 'account', max: 1 },
  ],
});
const catalog = defineCatalog([mail]);
const api = useTestApi((parts) => ({ catalog, authorize: authorizeByKey(parts.db) }));
const who: Record<string, Record<string, string>> = {};
const ids: string[] = [];

beforeAll(async () => {
  const scopes: Record<string, readonly Scope[]> = {
    reader: ['read', 'operate'],
    payloads: ['read', 'operate', 'payloads'],
    sender: ['enqueue'],
  };
  for (const [name, given] of Object.entries(scopes)) {
    const { text } = await createKey(api.db, { name, scopes: given });
    who[name] = { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' };
  }
  await registerDefinitions(api.db, catalog);
  for (const pages of [3, 2]) {
    const { body } = await api.post('/v1/jobs', { type: 'mail', payload: { account: 'acme', pages } }, who['sender']);
    ids.push(body.id);
    // what a worker does before it claims: the first is let in, and the second waits behind it
    await api.db.$queryRaw`SELECT duework.take_looks(1000)`;
    await api.db.$queryRaw`SELECT duework.take_turns('default', 10)::text`;
  }
});

const KEY = 'limit/mail.account/acme';

describe('the keys of gates', () => {
  test('are shown to who may read payloads, with how much a job takes of each', async () => {
    const [first, second] = ids;
    expect((await api.get(`/v1/jobs/${first}`, who['payloads'])).body).toMatchObject({ heldBy: null });
    expect((await api.get(`/v1/jobs/${second}`, who['payloads'])).body).toMatchObject({
      heldBy: KEY,
      gates: [
        { key: 'tenant/default/acme', units: 1 },
        { key: 'limit/printer', units: 2 },
        { key: KEY, units: 1 },
      ],
    });
    expect((await api.get(`/v1/jobs/${second}/explain`, who['payloads'])).body).toMatchObject({ facts: { key: KEY } });
    expect((await api.get(`/v1/jobs?filter=gate:${KEY}`, who['payloads'])).body.jobs).toHaveLength(2);
    expect((await api.get('/v1/flow/limit/mail.account/keys', who['payloads'])).body.keys).toMatchObject([
      { key: KEY, value: 'acme', waiting: 1 },
    ]);
  });

  test('are shown without the values of payloads to who may not read those', async () => {
    const [, second] = ids;
    for (const path of [`/v1/jobs/${second}`, `/v1/jobs?filter=id:${second}`]) {
      const { status, text, body } = await api.get(path, who['reader']);
      const job = (body.jobs ?? [body])[0] as AnyJson;
      expect([status, job.heldBy, 'gates' in job, text.includes('acme')]).toEqual([
        200,
        'limit/mail.account',
        false,
        false,
      ]);
    }
    const explained = await api.get(`/v1/jobs/${second}/explain`, who['reader']);
    expect(explained.body).toMatchObject({ code: 'held_by_limit', facts: { key: 'limit/mail.account' } });
    expect(explained.body.sentence).toContain('at limit/mail.account,');
    expect(explained.text).not.toContain('acme');
    for (const path of [`/v1/jobs/${second}/events`, `/v1/events?filter=id:${second}`]) {
      const events = await readEvents(api.url + path, who['reader']);
      const told = JSON.stringify((await events.next())!.data);
      events.close();
      expect([path, told.includes('"heldBy":"limit/mail.account"'), told.includes('acme')]).toEqual([
        path,
        true,
        false,
      ]);
    }
  });

  test('are asked for by who may read payloads alone', async () => {
    const refused = async (answer: Promise<{ status: number; body: AnyJson }>) => {
      const { status, body } = await answer;
      expect([status, body.code, body.detail]).toEqual([403, 'missing_scope', 'key:reader lacks the scope payloads.']);
    };
    for (const filter of [`gate:${KEY}`, 'tenant:acme'])
      for (const path of ['/v1/jobs', '/v1/jobs/count', '/v1/events'])
        await refused(api.get(`${path}?filter=${filter}`, who['reader']));
    await refused(api.get('/v1/flow/limit/mail.account/keys', who['reader']));
    await refused(api.get('/v1/flow/limit/mail.account/keys?cursor=limit/mail.account/z', who['reader']));
    await refused(api.post('/v1/flow/limit/mail.account/close', { value: 'acme', for: '1m' }, who['reader']));
    await refused(api.post('/v1/flow/limit/mail.account/open', { value: 'acme' }, who['reader']));
  });

  test.each([
    'limit/mail.account%2Facme',
    'limit%2Fmail.account/acme',
    'limit/mail.account%2F',
    'limit/%2Facme',
    'tenant/default%2Facme',
    'tenant%2Fdefault/acme',
    'pause/default%2Facme',
  ])('are no rules: %s in a path is told from one that is not there by nobody', async (rule) => {
    for (const caller of ['reader', 'payloads']) {
      const headers = who[caller]!;
      const body = { change: null };
      for (const answer of await Promise.all([
        api.get(`/v1/flow/${rule}`, headers),
        api.get(`/v1/flow/${rule}/keys`, headers),
        api.post(`/v1/flow/${rule}/open`, {}, headers),
        api.post(`/v1/flow/${rule}/close`, { for: '1m' }, headers),
        api.post(`/v1/flow/${rule}/preview`, body, headers),
        ask(`${api.url}/v1/flow/${rule}`, { method: 'PATCH', headers, body: JSON.stringify(body) }),
      ])) {
        expect([answer.status, answer.body.code]).toEqual([404, 'flow_rule_not_found']);
        expect(answer.body).not.toHaveProperty('holders');
      }
    }
  });

  test('that all jobs of a rule share have no value, and are shown to who may read', async () => {
    expect((await api.get('/v1/flow/limit/printer/keys', who['reader'])).body.keys).toMatchObject([
      { key: 'limit/printer', value: null, used: 3 },
    ]);
    expect((await api.get('/v1/jobs?filter=gate:limit/printer', who['reader'])).status).toBe(200);
    expect((await api.post('/v1/flow/limit/printer/close', { for: '1m' }, who['reader'])).status).toBe(200);
    expect((await api.post('/v1/flow/limit/printer/open', {}, who['reader'])).status).toBe(200);
  });
});
