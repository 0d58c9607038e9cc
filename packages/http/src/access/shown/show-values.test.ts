import { randomBytes } from 'node:crypto';
import { defineCatalog, defineJob } from '@duework/contracts';
import { createKeyRing, enqueue, getJob, type Job, setKeyRing } from '@duework/queue-core';
import { saveSchedule } from '@duework/schedules';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { useTestApi } from '../../testing/use-test-api.js';
import type { Principal, Scope } from '../principal.js';
import { showJob } from './show-values.js';

const IBAN = 'DE89370400440532013000';
const pay = defineJob({
  type: 'pay',
  payload: z.object({ orderId: z.int(), iban: z.string().max(30) }),
  sensitive: ['/iban'],
  result: z.object({ receipt: z.string(), token: z.string() }),
  sensitiveResult: ['/token'],
});
const catalog = defineCatalog([pay]);
const api = useTestApi(() => ({ catalog }));
const ring = createKeyRing({ current: 'k1', keys: { k1: randomBytes(32).toString('base64') } });
afterEach(() => setKeyRing(null));

const who = (...scopes: Scope[]): Principal => ({
  id: 'key:1',
  name: 'key:a',
  kind: 'key',
  scopes,
  types: null,
  from: null,
});
const RESULT = { receipt: 'r-1', token: 'secret' };

describe.each([
  ['in plain text', null],
  ['encrypted', ring],
])('a payload that is stored %s', (_, given) => {
  const make = async (): Promise<Job> => {
    setKeyRing(given);
    const { id } = await enqueue(api.db, pay, { orderId: 812, iban: IBAN });
    return { ...(await getJob(api.db, id)).job, result: RESULT };
  };

  test('a caller who may read, and no more, sees neither payload nor result', async () => {
    const shown = showJob(catalog, who('read'), await make());
    expect(shown).not.toHaveProperty('payload');
    expect(shown).not.toHaveProperty('result');
  });

  test('a caller who may read payloads sees all of them but what is sensitive', async () => {
    expect(showJob(catalog, who('read', 'payloads'), await make())).toMatchObject({
      payload: { orderId: 812, iban: '[sensitive]' },
      result: { receipt: 'r-1', token: '[sensitive]' },
    });
  });

  test('a caller who may see what is sensitive sees it', async () => {
    expect(showJob(catalog, who('read', 'sensitive'), await make())).toMatchObject({
      payload: { orderId: 812, iban: IBAN },
      result: RESULT,
    });
  });

  test('of a type that this server does not know is not shown', async () => {
    expect(showJob([], who('read', 'payloads'), await make())).toMatchObject({
      payload: '[sensitive]',
      result: '[sensitive]',
    });
  });
});

test('a server without the key shows what it can tell', async () => {
  setKeyRing(ring);
  const { id } = await enqueue(api.db, pay, { orderId: 1, iban: IBAN });
  setKeyRing(null);
  expect((await api.get(`/v1/jobs/${id}`)).body).toMatchObject({ payload: { orderId: 1, iban: '[sensitive]' } });
});

test('no byte of a sensitive value is in an answer of a refusal, or in the log', async () => {
  const body = { type: 'pay', payload: { orderId: 'x', iban: `${IBAN}${IBAN}` } };
  const { status, text } = await api.post('/v1/jobs', body);
  expect(status).toBe(422);
  expect(text + JSON.stringify(api.logged)).not.toContain('DE89');
});

test('a schedule is shown like a job', async () => {
  setKeyRing(ring);
  await saveSchedule(api.db, pay, {
    key: 'a',
    at: new Date(Date.now() + 86_400_000),
    payload: { orderId: 2, iban: IBAN },
  });
  expect((await api.get('/v1/schedules/a')).body).toMatchObject({ payload: { orderId: 2, iban: IBAN } });
  setKeyRing(null);
  expect((await api.get('/v1/schedules/a')).body).toMatchObject({ payload: { orderId: 2, iban: '[sensitive]' } });
  expect((await api.get('/v1/schedules')).body.schedules[0]).toMatchObject({ payload: { iban: '[sensitive]' } });
});
