import { defineCatalog } from '@duework/contracts';
import { catalog, sendReceipt } from '@duework/shop';
import { createMemoryQueue, startTestWorker } from '@duework/testing';
import { afterEach, expect, test } from '@jest/globals';
import { authorizeLocal } from '../access/authorize/authorize-local.js';
import { createQueueHandler } from '../create-queue-handler.js';
import { readEvents } from '../testing/read-events.js';
import { ask, type AnyJson } from '../testing/use-test-api.js';
import { OF_A_DEDICATED_QUEUE, useTestQueue } from '../testing/use-test-queue.js';

const api = useTestQueue();
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

let receipts = 0;
const receipt = (more: object = {}) => ({
  type: 'send_receipt',
  payload: { receiptId: `R-${++receipts}`, email: 'ana@example.org', amountCents: 990, currency: 'EUR' },
  ...more,
});
const later = (more: object = {}) => receipt({ delaySeconds: 3_600, ...more });
const enqueue = async (body: object): Promise<string> => (await api.send('POST', '/v1/jobs', body)).body.id;

/** A worker whose receipts end as `handle` says. */
async function startWorker(handle: () => Promise<void> | void): Promise<void> {
  const { worker } = await startTestWorker(api.queue, {
    catalog: defineCatalog([sendReceipt]),
    handlers: { send_receipt: handle },
  });
  stops.push(() => worker.stop({ deadlineMs: 0 }));
}

test('a job is enqueued, and looked up with its attempts', async () => {
  const sent = await api.send('POST', '/v1/jobs', receipt({ idempotencyKey: 'one', maxAttempts: 1 }));
  expect(sent).toMatchObject({ status: 202, body: { type: 'send_receipt', status: 'queued', deduplicated: false } });
  expect(sent.headers.get('location')).toBe(`/v1/jobs/${sent.body.id}`);
  const again = await api.send('POST', '/v1/jobs', receipt({ idempotencyKey: 'one' }));
  expect(again).toMatchObject({ status: 200, body: { id: sent.body.id, deduplicated: true } });
  await startWorker(() => {
    throw new Error('The provider is down');
  });
  expect(await api.get(`/v1/jobs/${sent.body.id}?wait=20`)).toMatchObject({
    status: 200,
    body: {
      status: 'dead',
      lastError: 'The provider is down',
      attemptHistory: [{ attempt: 1, outcome: 'failed', errorMessage: 'The provider is down' }],
    },
  });
});

test('many jobs are enqueued all or none', async () => {
  const { body } = await api.send('POST', '/v1/jobs/batch', { jobs: [later(), later()] });
  expect(body.jobs).toHaveLength(2);
  const before = (await api.get('/v1/jobs/count')).body.count;
  expect(await api.send('POST', '/v1/jobs/batch', { jobs: [later(), { type: 'nonsense' }] })).toMatchObject({
    status: 422,
    body: { code: 'unknown_job_type' },
  });
  expect((await api.get('/v1/jobs/count')).body.count).toBe(before);
});

test('what waits is changed and cancelled, and what is over is retried and acknowledged', async () => {
  const id = await enqueue(later());
  const verb = (name: string, body: object = {}) => api.send('POST', `/v1/jobs/${id}/${name}`, body);
  expect(await api.send('PATCH', `/v1/jobs/${id}`, { maxAttempts: 3 })).toMatchObject({
    status: 200,
    body: { maxAttempts: 3 },
  });
  expect(await verb('cancel', { reason: 'no' })).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  expect(await verb('acknowledge')).toMatchObject({ status: 409, body: { code: 'transition_not_allowed' } });
  expect(await verb('retry')).toMatchObject({ status: 200, body: { status: 'queued' } });
  await api.send('PATCH', `/v1/jobs/${id}`, { maxAttempts: 1 });
  await startWorker(() => {
    throw new Error('boom');
  });
  expect(await api.get(`/v1/jobs/${id}?wait=20`)).toMatchObject({ body: { status: 'dead' } });
  expect(await verb('acknowledge')).toMatchObject({ status: 200, body: { acknowledgedAt: expect.any(String) } });
  expect(await api.get('/v1/jobs/nonsense')).toMatchObject({ status: 404, body: { code: 'invalid_job_id' } });
});

test('jobs are listed by status, type and queue, page by page, and counted', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push(await enqueue(later({ queue: 'default' })));
  const filter = encodeURIComponent('status:queued type:send_receipt queue:default');
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const { body } = await api.get(`/v1/jobs?limit=2&filter=${filter}${cursor}`);
    seen.push(...body.jobs.map((job: { id: string }) => job.id));
    expect(body).toMatchObject({ previousCursor: null, complete: true });
    if (body.nextCursor === null) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  expect(seen).toEqual(expect.arrayContaining(ids));
  expect(new Set(seen).size).toBe(seen.length);
  expect((await api.get(`/v1/jobs/count?filter=${filter}`)).body).toEqual({
    count: seen.length,
    atLeast: false,
    text: String(seen.length),
  });
  expect(await api.get(`/v1/jobs?cursor=nonsense`)).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
});

test.each([
  ['payload.email:ana@example.org', 'look for payload'],
  ['error:ECONNREFUSED', 'look for error'],
  ['since:2h', 'look for since'],
  ['-status:dead', 'leave out a status'],
  ['status:dead,failed', 'list several values of status at once'],
])('a filter that a queue cannot list by is refused, with what it can: %s', async (filter, what) => {
  for (const path of ['/v1/jobs', '/v1/jobs/count', '/v1/events'])
    expect(await api.get(`${path}?filter=${encodeURIComponent(filter)}`)).toMatchObject({
      status: 501,
      body: {
        code: 'not_supported',
        detail: expect.stringMatching(new RegExp(`${what}: it lists jobs by one status, one type and one queue`)),
        errors: [{ parameter: 'filter' }],
      },
    });
});

test.each(['silence', 'acknowledge', 'test'])(
  'an alert of this queue is not there to %s, which says why',
  async (verb) => {
    expect(await api.send('POST', `/v1/alerts/${verb}`, { key: 'redis_away', for: '1h' })).toMatchObject({
      status: 501,
      body: {
        code: 'not_supported',
        detail: expect.stringContaining('Quiet hours are set with quiet= at the address'),
      },
    });
  },
);

test('a queue is paused with a reason and resumed, and what waits is told', async () => {
  await enqueue(later());
  expect(await api.send('POST', '/v1/queues/default/pause', { reason: 'a bad deploy' })).toMatchObject({
    status: 200,
    body: { kind: 'queue', name: 'default', by: 'local', reason: 'a bad deploy' },
  });
  await api.send('POST', '/v1/queues/idle/pause', {});
  const { body } = await api.get('/v1/queues');
  expect(body.queues).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        queue: 'default',
        type: 'send_receipt',
        scheduled: expect.any(Number),
        succeeded: null,
        wait: null,
        pauses: [expect.objectContaining({ reason: 'a bad deploy' })],
      }),
      expect.objectContaining({ queue: 'idle', type: '', due: 0, pauses: [expect.anything()] }),
    ]),
  );
  expect((await api.get('/v1/pauses')).body.pauses).toHaveLength(2);
  for (const queue of ['default', 'idle'])
    expect(await api.send('POST', `/v1/queues/${queue}/resume`, {})).toMatchObject({
      body: { pause: { name: queue } },
    });
});

test('a job and a list are followed', async () => {
  const id = await enqueue(later());
  const job = await readEvents(`${api.url}/v1/jobs/${id}/events`);
  const list = await readEvents(`${api.url}/v1/events?filter=status:cancelled`);
  expect(await job.next()).toMatchObject({ event: 'job', data: { id, status: 'queued' } });
  expect(await list.next()).toMatchObject({ event: 'page' });
  await api.send('POST', `/v1/jobs/${id}/cancel`, {});
  expect(await job.next()).toMatchObject({ data: { id, status: 'cancelled', finishedAt: expect.any(String) } });
  expect(await job.next()).toBeNull();
  const { data } = (await list.next())!;
  expect(data.ids[0]).toBe(id);
  expect(data.jobs[0]).not.toHaveProperty('payload');
  list.close();
});

test('what needs a database, or what the store cannot do, is refused with a sentence', async () => {
  const refused: [string, string, RegExp][] = [
    ['GET', '/v1/schedules', /Schedules are kept in PostgreSQL/],
    ['GET', '/v1/audit', /audit/],
    ['GET', '/v1/flow', /Limits, rates/],
    ['POST', '/v1/bulk-actions', /one job at a time/],
    ['GET', '/v1/batches', /no batches/],
    ['POST', '/v1/signals/paid', /no durable steps/],
    ['GET', '/v1/api-keys', /API keys are kept in PostgreSQL/],
    ['GET', '/v1/workers', /does not know who works for it/],
    ['GET', '/v1/doctor', /The doctor looks at a PostgreSQL/],
  ];
  for (const [method, path, detail] of refused)
    expect([path, await api.send(method, path, method === 'GET' ? undefined : {})]).toMatchObject([
      path,
      { status: 501, body: { code: 'not_supported', detail: expect.stringMatching(detail) } },
    ]);
  const repeated = await api.send('POST', '/v1/jobs', later(), { 'Idempotency-Key': 'k-1' });
  expect(repeated).toMatchObject({ status: 501, body: { detail: expect.stringContaining('idempotencyKey') } });
});

test('it says what it is of, what its store can do, and what it refuses', async () => {
  const { body } = await api.get('/v1/principal');
  expect(body.queue).toMatchObject({
    kind: 'memory',
    capabilities: OF_A_DEDICATED_QUEUE,
    keepsAnswers: false,
    filters: ['status', 'type', 'queue'],
  });
  expect(body.queue.refuses).toContainEqual({
    operation: 'listSchedules',
    why: 'Schedules are kept in PostgreSQL, and this queue has none.',
  });
  const { paths } = (await api.get('/openapi.json')).body;
  const refusedThere = Object.values<Record<string, { operationId: string; description?: string }>>(paths)
    .flatMap((path) => Object.values(path))
    .filter(({ description }) => description?.includes('It is refused here'));
  expect(body.queue.refuses.map(({ operation }: AnyJson) => operation).toSorted()).toEqual(
    refusedThere.map(({ operationId }) => operationId).toSorted(),
  );
  expect(body.queue.refuses.length).toBeGreaterThan(40);
  expect(paths['/v1/schedules']!['get']!.description).toContain('It is refused here: Schedules are kept in PostgreSQL');
});

test('contracts are those of this server', async () => {
  const { body } = await api.get('/v1/contracts');
  expect(body.contracts.map(({ type }: { type: string }) => type)).toEqual(catalog.map(({ type }) => type).sort());
  expect(body.contracts[0]).toMatchObject({ defaults: { queue: expect.any(String) }, versions: [{ workers: null }] });
});

test('it is ready, and its metrics say what waits', async () => {
  await enqueue(later());
  expect(await api.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
  const { text } = await api.get('/metrics');
  expect(text).toContain('duework_queue_up 1');
  expect(text).toMatch(/^duework_jobs\{queue="default",type="send_receipt",state="scheduled"\} [1-9]/m);
  expect(text).toContain('duework_http_request_duration_seconds');
});

test('it is made for nobody unless somebody says who may call', () => {
  const queue = createMemoryQueue();
  // @ts-expect-error without authorize
  expect(() => createQueueHandler({ queue, catalog })).toThrow(
    expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining('say who may call') }),
  );
});

test('who does not answer is no caller', async () => {
  const closed = createQueueHandler({ queue: createMemoryQueue(), catalog, authorize: async () => null });
  const answer = await closed(new Request('http://localhost/v1/jobs'));
  expect(answer.status).toBe(401);
});

test('a key for some types alone lists one of its types, and no other', async () => {
  const queue = createMemoryQueue({ capabilities: OF_A_DEDICATED_QUEUE });
  const handler = createQueueHandler({
    queue,
    catalog,
    authorize: async () => ({
      ...{ id: 'key:1', name: 'key:shop', kind: 'key', from: null },
      scopes: ['read', 'enqueue'],
      types: ['send_receipt'],
    }),
  });
  const get = async (path: string): Promise<AnyJson> => (await handler(new Request(`http://localhost${path}`))).json();
  await queue.enqueue(sendReceipt, receipt().payload as never);
  expect((await get('/v1/jobs')).jobs).toMatchObject([{ type: 'send_receipt' }]);
  expect((await get('/v1/jobs?filter=type:send_invoice')).jobs).toEqual([]);
});

test('while its store is away it is not ready, and says so in its metrics', async () => {
  const queue = createMemoryQueue();
  const away = {
    ...queue,
    listPauses: () => Promise.reject(new Error('away')),
    queueDepth: () => Promise.reject(new Error('away')),
  };
  const handler = createQueueHandler({ queue: away, catalog, authorize: authorizeLocal() });
  const env = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
  expect((await handler(new Request('http://localhost/readyz'), env)).status).toBe(503);
  expect(await (await handler(new Request('http://localhost/metrics'), env)).text()).toContain('duework_queue_up 0');
});

test('the console is served', async () => {
  expect(await ask(`${api.url}/console`)).toMatchObject({ status: 200, text: expect.stringContaining('<html') });
});
