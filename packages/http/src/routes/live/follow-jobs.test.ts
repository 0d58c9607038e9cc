import { createKey, revokeKey } from '@duework/operate';
import { cancelJob, enqueue, type Queryable } from '@duework/queue-core';
import { recogniseClient } from '@duework/sql';
import { sendInvoice } from '@duework/shop';
import { afterEach, expect, test } from '@jest/globals';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import { ask, useTestApi } from '../../testing/use-test-api.js';
import { readEvents, type ReadEvent } from '../../testing/read-events.js';

let statements = 0;
const api = useTestApi(({ db }) => ({ db: counted(db) as never, maxStreams: 8_000 }));
const closed = useTestApi(({ db }) => ({ authorize: authorizeByKey(db) }));
const few = useTestApi(({ db }) => ({ authorize: authorizeByKey(db), maxStreams: 8 }));

/** Counts what is sent through a client. */
function counted(db: Queryable): Queryable {
  const client = recogniseClient(db);
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== '$queryRaw') return typeof value === 'function' ? value.bind(target) : value;
      return (...given: Parameters<typeof client.$queryRaw>) => {
        statements += 1;
        return target.$queryRaw(...given);
      };
    },
  });
}

type Events = Awaited<ReturnType<typeof readEvents>>;
const opened: Events[] = [];
afterEach(() => {
  for (const events of opened.splice(0)) events.close();
});

/** Opens the stream of a filter. */
async function follow(filter: string, headers: Record<string, string> = {}, at = api): Promise<Events> {
  const events = await readEvents(`${at.url}/v1/events?filter=${encodeURIComponent(filter)}`, headers);
  opened.push(events);
  return events;
}

const idsOf = (event: ReadEvent | null): string[] => event!.data.ids;
let order = 1_000;
const waiting = (at = api) => enqueue(at.db, sendInvoice, { orderId: order++ }, { delay: '1h' });

test('a filter is followed: its first page, and then what comes, changes and leaves', async () => {
  const first = (await waiting()).id;
  const filter = `status:queued,cancelled payload.orderId:${order - 1},${order}`;
  const events = await follow(filter);
  const page = await events.next();
  expect(page).toMatchObject({
    event: 'page',
    data: { ids: [first], jobs: [{ id: first, status: 'queued' }], nextCursor: null, complete: true, hint: null },
  });
  const second = (await waiting()).id;
  expect(await events.next()).toMatchObject({
    event: 'change',
    data: { ids: [second, first], jobs: [{ id: second }] },
  });
  await cancelJob(api.db, first);
  expect(await events.next()).toMatchObject({
    event: 'change',
    data: { ids: [second, first], jobs: [{ id: first, status: 'cancelled', finishedAt: expect.stringMatching(/Z$/) }] },
  });
  await api.db.$executeRaw`DELETE FROM duework.job_history`;
  expect(await events.next()).toMatchObject({ event: 'change', data: { ids: [second], jobs: [] } });
});

test('a page that is full says where the list goes on', async () => {
  for (let n = 0; n < 52; n++) await waiting();
  const events = await follow('status:queued');
  const { data } = (await events.next())!;
  expect(data.ids).toHaveLength(50);
  const { body } = await api.get(`/v1/jobs?filter=status:queued&cursor=${data.nextCursor}`);
  expect(body.jobs[0].id).toBe(String(BigInt(data.ids.at(-1)) - 1n));
});

test('a thousand who follow a filter share its statements, and one that is spelt in another way, too', async () => {
  const { id } = await waiting();
  const all: Events[] = [];
  for (let from = 0; from < 1_000; from += 100)
    all.push(
      ...(await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          follow(n % 2 === 0 ? `id:${id} type:send_invoice` : ` type:send_invoice   id:${id}`),
        ),
      )),
    );
  for (const events of all) expect(idsOf(await events.next())).toEqual([id]);
  const before = statements;
  const startedMs = performance.now();
  await cancelJob(api.db, id);
  for (const events of all) expect((await events.next())!.data.jobs).toMatchObject([{ id, status: 'cancelled' }]);
  const looks = (performance.now() - startedMs) / 500 + 1;
  // beside the looks the cancellation itself
  expect(statements - before).toBeLessThanOrEqual(looks + 1);
});

test('a client that comes again is told the page where it has changed, and nothing where it has not', async () => {
  const { id } = await waiting();
  const filter = `id:${id},${BigInt(id) + 1n}`;
  const first = await follow(filter);
  const seen = (await first.next())!;
  first.close();
  const same = await follow(filter, { 'Last-Event-ID': seen.id });
  const added = (await waiting()).id;
  expect(await same.next()).toMatchObject({ event: 'change', data: { ids: [added, id], jobs: [{ id: added }] } });
  const late = await follow(filter, { 'Last-Event-ID': seen.id });
  expect(await late.next()).toMatchObject({ event: 'page', data: { ids: [added, id] } });
});

test('who may not read payloads is told neither progress nor that it has changed', async () => {
  const [reader, whole] = await Promise.all(
    [['read'], ['read', 'payloads']].map(async (scopes) => {
      const { text } = await createKey(closed.db, { name: scopes.join('-'), scopes: scopes as never });
      return { Authorization: `Bearer ${text}` };
    }),
  );
  const { id } = await waiting(closed);
  const setProgress = (done: number) =>
    closed.db
      .$executeRaw`UPDATE duework.job_runs SET progress = jsonb_build_object('done', ${done}::integer) WHERE id = ${BigInt(id)}`;
  await setProgress(1);
  const urls = [`/v1/events?filter=id:${id}`, `/v1/jobs/${id}/events`];
  const few = await Promise.all(urls.map((url) => readEvents(closed.url + url, reader)));
  const all = await Promise.all(urls.map((url) => readEvents(closed.url + url, whole)));
  opened.push(...few, ...all);
  const stateOf = (event: ReadEvent | null) => event!.data.jobs?.[0] ?? event!.data;
  for (const events of few) expect(stateOf(await events.next())).not.toHaveProperty('progress');
  for (const events of all) expect(stateOf(await events.next()).progress).toEqual({ done: 1 });
  await setProgress(2);
  for (const events of all) expect(stateOf(await events.next()).progress).toEqual({ done: 2 });
  await cancelJob(closed.db, id);
  for (const events of few) expect(stateOf(await events.next()).status).toBe('cancelled');

  const answer = await closed.get('/v1/events?filter=payload.orderId:1', reader);
  expect([answer.status, answer.body.code]).toEqual([403, 'missing_scope']);
});

test('a stream ends when the key that opened it is revoked, and those of other keys go on', async () => {
  const [gone, kept] = await Promise.all(
    ['gone', 'kept'].map(async (name) => {
      const { text } = await createKey(closed.db, { name, scopes: ['read'] });
      return follow('status:queued', { Authorization: `Bearer ${text}` }, closed);
    }),
  );
  await Promise.all([gone!.next(), kept!.next()]);
  await revokeKey(closed.db, 'gone');
  expect(await Promise.race([gone!.next(), new Promise((resolve) => setTimeout(resolve, 10_000, 'open'))])).toBeNull();
  const { id } = await waiting(closed);
  expect(idsOf(await kept!.next())[0]).toBe(id);
});

test('a stream is passed on as it is, and has the headers of every answer', async () => {
  const aborter = new AbortController();
  const { headers } = await fetch(`${api.url}/v1/events`, { signal: aborter.signal });
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store, no-transform');
  expect(headers.get('x-accel-buffering')).toBe('no');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  aborter.abort();
});

test('nobody is followed for a HEAD, or when the client is gone', async () => {
  const { id } = await waiting();
  for (const path of ['/v1/events', `/v1/jobs/${id}/events`]) {
    const { status, headers } = await ask(api.url + path, { method: 'HEAD' });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  }
  await follow('status:dead');
  for (const events of opened.splice(0)) events.close();
  // a look that was on its way may end
  let asked = -1;
  for (let second = 0; asked !== 0 && second < 4; second++) {
    const before = statements;
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    asked = statements - before;
  }
  expect(asked).toBe(0);
});

test('one key follows 20 different filters at once, all keys 200, and the others follow what they did', async () => {
  const makeKey = async (name: string) => ({
    Authorization: `Bearer ${(await createKey(closed.db, { name, scopes: ['read'] })).text}`,
  });
  const refusalOf = async (filter: string, headers: Record<string, string>) => {
    const answer = await ask(`${closed.url}/v1/events?filter=${encodeURIComponent(filter)}`, { headers });
    return [answer.status, answer.body.code, answer.headers.get('retry-after')];
  };
  const weak = await makeKey('weak');
  for (let n = 0; n < 20; n++) await follow(`priority:${n}`, weak, closed);
  expect(await refusalOf('status:dead', weak)).toEqual([429, 'rate_limited', '5']);
  expect(idsOf(await (await follow('priority:7', weak, closed)).next())).toEqual(expect.any(Array));
  for (let key = 1; key < 10; key++) {
    const headers = await makeKey(`other-${key}`);
    for (let n = 0; n < 20; n++) await follow(`priority:${key * 20 + n}`, headers, closed);
  }
  const last = await makeKey('last');
  expect(await refusalOf('status:dead', last)).toEqual([503, 'overloaded', '5']);
  expect(idsOf(await (await follow('priority:7', last, closed)).next())).toEqual(expect.any(Array));
});

test('one key has a quarter of the streams, also of one filter and of jobs, and leaves the rest to the others', async () => {
  const make = async (name: string) => ({
    Authorization: `Bearer ${(await createKey(few.db, { name, scopes: ['read'] })).text}`,
  });
  const [weak, other] = [await make('weak'), await make('other')];
  const { id } = await waiting(few);
  await follow('status:dead', weak, few);
  opened.push(await readEvents(`${few.url}/v1/jobs/${id}/events`, weak));
  for (const path of ['/v1/events?filter=status:dead', `/v1/jobs/${id}/events`, `/v1/jobs/${id}?wait=1`]) {
    const { status, body, headers } = await ask(few.url + path, { headers: weak });
    expect([path, status, body.code, headers.get('retry-after')]).toEqual([path, 429, 'rate_limited', '1']);
  }
  const events = await follow('status:dead', other, few);
  expect(idsOf(await events.next())).toEqual([]);
});

test('a filter that is none is refused before anything is followed', async () => {
  expect((await api.get('/v1/events?filter=stauts:dead')).body).toMatchObject({ code: 'invalid_filter' });
  expect((await api.get('/v1/events?status=dead')).body).toMatchObject({ code: 'invalid_query' });
});
