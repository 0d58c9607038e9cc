import { cancelJob, enqueueMany, jobRequest, openQueue } from '@duework/queue-core';
import { createKey, SCOPES } from '@duework/operate';
import { cleanupNightly, sendInvoice } from '@duework/shop';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Route } from '../api.js';
import { createRoutes } from '../create-routes.js';
import { readEvents } from '../testing/read-events.js';
import { type AnyJson, ask, type Answer, useTestApi } from '../testing/use-test-api.js';
import { authorizeByKey } from './authorize/authorize-by-key.js';

let routes: readonly Route[] = [];
const api = useTestApi((parts) => {
  routes = createRoutes(parts, () => ({}));
  return { authorize: authorizeByKey(parts.db) };
});
let headers: Record<string, string> = {};
beforeAll(async () => {
  const { text } = await createKey(api.db, { name: 'narrow', scopes: SCOPES, types: ['cleanup_nightly'] });
  headers = { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' };
});

const nameOf = ({ doc }: Route): string => `${doc.method} ${doc.path}`;
const send = ({ doc }: Route, id = 'none'): Promise<Answer> => {
  const method = doc.method.toUpperCase();
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' };
  return ask(api.url + doc.path.replaceAll(/\{\w+\}/g, id), { method, headers, ...body });
};
const codeOf = ({ status, text }: Answer): string => (status < 400 ? '' : (JSON.parse(text) as { code: string }).code);

let number = 0;
/** A job of the key's type, or of another one, that is cancelled: each verb answers for it at once. */
async function cancelled(whose: 'own' | 'other'): Promise<string> {
  number++;
  const request =
    whose === 'own'
      ? jobRequest(cleanupNightly, { day: new Date(number * 86_400_000).toISOString().slice(0, 10) })
      : jobRequest(sendInvoice, { orderId: number });
  const [job] = await enqueueMany(api.db, [request as never]);
  await cancelJob(api.db, job!.id);
  return job!.id;
}

describe('a key that is limited to types, with every scope', () => {
  const OPEN = [
    'get /v1/principal',
    'get /v1/console/links',
    'post /v1/jobs',
    'get /v1/jobs',
    'post /v1/jobs/batch',
    'get /v1/jobs/count',
    'get /v1/ended-jobs',
    'get /v1/jobs/{id}',
    'get /v1/jobs/{id}/events',
    'get /v1/events',
    'get /v1/jobs/{id}/approvals',
    'post /v1/jobs/{id}/approve',
    'post /v1/jobs/{id}/change-wait',
    'post /v1/batches',
    'patch /v1/jobs/{id}',
    'post /v1/jobs/{id}/retry',
    'post /v1/jobs/{id}/cancel',
    'post /v1/jobs/{id}/acknowledge',
    'post /v1/jobs/{id}/free-key',
    'get /v1/contracts',
    'get /v1/contracts/{type}/parses',
    'get /v1/jobs/{id}/explain',
    'get /v1/jobs/{id}/effects',
    'get /v1/jobs/{id}/steps',
    'get /v1/effects/check',
    'get /v1/failures',
    'get /v1/workflows',
  ];

  test('may call these routes, and is refused by every other one that is not public', async () => {
    const scoped = routes.filter(({ scope }) => scope !== 'public');
    expect(scoped.filter(({ isForSomeTypes }) => isForSomeTypes).map(nameOf)).toEqual(OPEN);
    const closed = scoped.filter((route) => !OPEN.includes(nameOf(route)));
    expect(closed.length).toBeGreaterThan(20);
    for (const route of closed) {
      const answer = await send(route);
      expect([nameOf(route), answer.status, codeOf(answer)]).toEqual([nameOf(route), 403, 'limited_to_types']);
    }
  });

  test.each(OPEN.filter((name) => name.includes('{id}')))(
    'of a job of another type %s answers as of one that is not there, and changes nothing',
    async (name) => {
      const route = routes.find((one) => nameOf(one) === name)!;
      const other = await cancelled('other');
      const before = await api.db.$queryRaw`SELECT j::text FROM duework.jobs AS j WHERE id = ${other}::bigint`;
      const [refused, missing] = [await send(route, other), await send(route, '4000000000000000000')];
      expect([refused.status, codeOf(refused)]).toEqual([404, 'job_not_found']);
      expect([missing.status, codeOf(missing)]).toEqual([404, 'job_not_found']);
      expect(await api.db.$queryRaw`SELECT j::text FROM duework.jobs AS j WHERE id = ${other}::bigint`).toEqual(before);
      expect([403, 404]).not.toContain((await send(route, await cancelled('own'))).status);
    },
  );

  test('lists, counts and learns of jobs of its types alone, whatever it asks for', async () => {
    const [own, other] = [await cancelled('own'), await cancelled('other')];
    for (const filter of ['', 'type:send_invoice', `id:${other}`, 'type:send_invoice,cleanup_nightly']) {
      const { body } = await api.get(`/v1/jobs?filter=${filter}`, headers);
      const types = body.jobs.map(({ type }: AnyJson) => type as string);
      expect(types.filter((type: string) => type !== 'cleanup_nightly')).toEqual([]);
    }
    const events = await readEvents(`${api.url}/v1/events?filter=type:send_invoice,cleanup_nightly`, headers);
    const followed = (await events.next())!.data.ids;
    events.close();
    expect([followed.includes(own), followed.includes(other)]).toEqual([true, false]);
    const ids = (await api.get('/v1/jobs', headers)).body.jobs.map(({ id }: AnyJson) => id);
    expect([ids.includes(own), ids.includes(other)]).toEqual([true, false]);
    expect((await api.get('/v1/jobs/count?filter=type:send_invoice', headers)).body.count).toBe(0);
    expect((await api.get(`/v1/jobs/count?filter=id:${own}`, headers)).body.count).toBe(1);
    const { contracts } = (await api.get('/v1/contracts', headers)).body;
    expect(contracts.map(({ type }: AnyJson) => type).filter((type: string) => type !== 'cleanup_nightly')).toEqual([]);
  });

  test('learns that its job is paused, and not by whom or why, which its own pauses would tell', async () => {
    const [job] = await enqueueMany(api.db, [jobRequest(cleanupNightly, { day: '2031-01-01' })]);
    const { text } = await createKey(api.db, { name: 'broad', scopes: SCOPES });
    await openQueue(api.db).pauseType('cleanup_nightly', { by: 'person:ana', reason: 'the audit' });
    const explain = async (given: Record<string, string>): Promise<Answer> =>
      api.get(`/v1/jobs/${job!.id}/explain`, given);
    const [narrow, broad] = [await explain(headers), await explain({ Authorization: `Bearer ${text}` })];
    expect(broad.body).toMatchObject({ code: 'paused', facts: { by: 'person:ana', reason: 'the audit' } });
    expect(narrow.body).toMatchObject({ code: 'paused', facts: { kind: 'type', by: null, reason: null } });
    expect(narrow.text).not.toMatch(/ana|audit/);
    await openQueue(api.db).resumeType('cleanup_nightly');
  });
});

test('a key may only read the jobs of one type', async () => {
  const [own, other] = [await cancelled('own'), await cancelled('other')];
  const { text } = await createKey(api.db, { name: 'reader', scopes: ['read'], types: ['cleanup_nightly'] });
  const sendTo = (path: string, method = 'GET'): Promise<Answer> =>
    ask(api.url + path, {
      method,
      headers: { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' },
      ...(method === 'GET' ? {} : { body: '{}' }),
    });
  const { jobs } = (await sendTo('/v1/jobs')).body as { jobs: readonly { type: string }[] };
  expect(new Set(jobs.map(({ type }) => type))).toEqual(new Set(['cleanup_nightly']));
  expect((await sendTo(`/v1/jobs/${own}`)).status).toBe(200);
  expect((await sendTo(`/v1/jobs/${other}`)).status).toBe(404);
  for (const [path, method, code] of [
    ['/v1/jobs', 'POST', 'missing_scope'],
    [`/v1/jobs/${own}/retry`, 'POST', 'missing_scope'],
    ['/v1/queues', 'GET', 'limited_to_types'],
  ] as const)
    expect(codeOf(await sendTo(path, method))).toBe(code);
});
