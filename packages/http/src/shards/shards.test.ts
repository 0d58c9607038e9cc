import { Prisma } from '@duework/database';
import { orderPaid } from '@duework/shop';
import { describe, expect, test } from '@jest/globals';
import { useTestShards } from '../testing/use-test-shards.js';

const api = useTestShards(['a', 'b'], (options) => ({
  ...options,
  bareIds: 'a',
  signals: [orderPaid],
  shardOf: (contract: { type?: string; name?: string }, payload: { orderId: number }) =>
    contract.name === 'order_paid'
      ? payload.orderId > 1_000
        ? 'a'
        : undefined
      : contract.type === 'send_invoice' && typeof payload.orderId === 'number'
        ? payload.orderId % 2 === 0
          ? 'a'
          : 'b'
        : undefined,
}));

const invoice = (orderId: number) => ({ type: 'send_invoice', payload: { orderId } });
const report = (userId: number) => ({
  type: 'send_weekly_report',
  payload: { userId, from: '2026-01-01', to: '2026-01-07' },
  idempotencyKey: null,
});

describe('a job', () => {
  test('goes to the shard that its payload names, and is found there by its id', async () => {
    const sent = await api.ask('POST', '/v1/jobs', invoice(1));
    expect(sent).toMatchObject({ status: 202, body: { id: expect.stringMatching(/^b\.\d+$/), type: 'send_invoice' } });
    const { id } = sent.body;
    expect(sent.headers.get('location')).toBe(`/v1/jobs/${id}`);
    expect(await api.get(`/v1/jobs/${id}`)).toMatchObject({ id, payload: { orderId: 1 } });
    expect(await api.get(`/v1/jobs/${id}/explain`)).toMatchObject({ id });
    const bare = id.slice(2);
    expect(await api.get(`/v1/jobs/a.${bare}`)).toMatchObject({
      code: 'job_not_found',
      detail: expect.stringContaining(`a.${bare}`),
    });
  });

  test('is changed by its id', async () => {
    const { id } = await api.post('/v1/jobs?shard=b', { ...invoice(2001), delaySeconds: 3600 });
    expect(await api.ask('PATCH', `/v1/jobs/${id}`, { priority: 1 })).toMatchObject({
      status: 200,
      body: { id, priority: 1 },
    });
    expect(await api.post(`/v1/jobs/${id}/cancel`)).toMatchObject({ id, status: 'cancelled' });
  });

  test('without a name in its id is one of the shard of bare ids', async () => {
    const { id } = await api.post('/v1/jobs', invoice(2));
    expect(id).toMatch(/^a\./);
    expect(await api.get(`/v1/jobs/${id.slice(2)}`)).toMatchObject({ id });
  });

  test.each(['b...', 'b..', 'b....%2fapi-keys', 'b.', '.', 'b.1%2f..', 'b.%00'])(
    'has no id that leads elsewhere: %s',
    async (id) => {
      for (const path of [`/v1/jobs/${id}`, `/v1/jobs/${id}/explain`, `/v1/batches/${id}`])
        expect((await api.ask('GET', path)).status).toBe(404);
    },
  );

  test('of a shard that there is not is refused', async () => {
    expect(await api.ask('GET', '/v1/jobs/z.1')).toMatchObject({ status: 404, body: { code: 'unknown_shard' } });
    expect(await api.ask('GET', '/v1/jobs?shard=z')).toMatchObject({ status: 404, body: { code: 'unknown_shard' } });
  });

  test('with a key that has to be unique is refused where nothing says its shard', async () => {
    const keyed = { ...report(1), idempotencyKey: 'x' };
    expect(await api.ask('POST', '/v1/jobs', keyed)).toMatchObject({
      status: 400,
      body: { code: 'shard_not_given', detail: expect.stringContaining('a, b') },
    });
    expect(await api.post('/v1/jobs?shard=b', keyed)).toMatchObject({ id: expect.stringMatching(/^b\./) });
    expect(await api.post('/v1/jobs?shard=b', keyed)).toMatchObject({ deduplicated: true });
  });

  test('whose payload is not what its contract says is refused before a shard is looked for', async () => {
    expect(await api.ask('POST', '/v1/jobs', { type: 'send_invoice', payload: null })).toMatchObject({
      status: 422,
      body: { code: 'invalid_payload' },
    });
    expect(
      await api.post('/v1/jobs/batch', { jobs: [invoice(1), { type: 'send_invoice', payload: null }] }),
    ).toMatchObject({
      code: 'invalid_payload',
      errors: [{ pointer: '/jobs/1/payload' }],
    });
    expect(await api.ask('POST', '/v1/jobs', { type: 'none' })).toMatchObject({ status: 422 });
    expect(await api.ask('POST', '/v1/jobs', [])).toMatchObject({ status: 422 });
  });

  test('without a key goes to the shards in turns', async () => {
    const ids = [];
    for (let n = 0; n < 4; n++) ids.push((await api.post('/v1/jobs', report(n + 10))).id[0]);
    expect(ids.sort()).toEqual(['a', 'a', 'b', 'b']);
  });

  test('of a request that is sent again is not enqueued in another shard', async () => {
    const header = { 'Idempotency-Key': 'again' };
    const first = await api.ask('POST', '/v1/jobs', report(99), header);
    const second = await api.ask('POST', '/v1/jobs', report(99), header);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('keeps every digit of its numbers', async () => {
    const payload = { eventId: 'e', url: 'https://example.org/', event: 'x', body: {} };
    const { id } = await api.post('/v1/jobs?shard=a', { type: 'deliver_webhook', payload });
    await api.db('a').$executeRaw(
      Prisma.raw(
        `UPDATE duework.job_runs SET payload = jsonb_set(payload, '{body}', '{"id": 9007199254740993, "text": "id 9007199254740993", "more": 1.50}')
       WHERE id = ${id.slice(2)}`,
      ),
    );
    const { text } = await api.ask('GET', `/v1/jobs/${id}`);
    expect(text).toContain('"id":9007199254740993');
    expect(text).toContain('"text":"id 9007199254740993"');
  });
});

describe('jobs of one request', () => {
  test('are enqueued together where all name one shard, and refused where they do not', async () => {
    const { jobs } = await api.post('/v1/jobs/batch', { jobs: [invoice(3), invoice(5)] });
    expect(jobs.map(({ id }: { id: string }) => id[0])).toEqual(['b', 'b']);
    expect(await api.post('/v1/jobs/batch', { jobs: [invoice(3), invoice(4)] })).toMatchObject({
      code: 'shard_not_given',
    });
  });

  test('are a batch in one shard', async () => {
    const { id, jobs } = await api.post('/v1/batches', { name: 'n', jobs: [invoice(7), invoice(9)] });
    expect(id).toMatch(/^b\./);
    expect(jobs[0].id).toMatch(/^b\./);
    expect(await api.get(`/v1/batches/${id}`)).toMatchObject({ id, jobs: 2 });
    expect(await api.get(`/v1/batches?limit=1`)).toMatchObject({ batches: [{ id }], problems: [] });
    const listed = await api.get(`/v1/jobs?filter=batch:${id}`);
    expect(listed.jobs.map((job: { batch: string }) => job.batch)).toEqual([id, id]);
  });
});

describe('a filter', () => {
  test('may name ids and shards', async () => {
    const { id } = await api.post('/v1/jobs', invoice(21));
    const other = (await api.post('/v1/jobs', invoice(22))).id;
    expect((await api.get(`/v1/jobs?filter=id:${id},${other}`)).jobs.map((job: { id: string }) => job.id)).toEqual([
      other,
      id,
    ]);
    expect(await api.get(`/v1/jobs/count?filter=id:${id}`)).toMatchObject({ count: 1 });
    expect(await api.get(`/v1/jobs?filter=id:${id} shard:a`)).toMatchObject({ jobs: [] });
    const { jobs } = await api.get('/v1/jobs?filter=shard:b');
    expect(jobs.every((job: { id: string }) => job.id.startsWith('b.'))).toBe(true);
    expect(jobs.length).toBeGreaterThan(0);
  });

  test('that is wrong is refused at the place where it is', async () => {
    const { code, errors } = await api.get('/v1/jobs?filter=id:b.17 nonsense:1');
    expect({ code, errors }).toMatchObject({ code: 'invalid_filter', errors: [{ from: 8, to: 16 }] });
  });
});

test('what waits and runs is added up by queue and type', async () => {
  const of = async (query: string) =>
    (await api.get(`/v1/queues${query}`)).queues.find((one: { type: string }) => one.type === 'send_invoice');
  const [all, a, b] = [await of(''), await of('?shard=a'), await of('?shard=b')];
  expect(a.due).toBeGreaterThan(0);
  expect(b.due).toBeGreaterThan(0);
  expect(all.due).toBe(a.due + b.due);
  const count = async (query: string) => (await api.get(`/v1/jobs/count?${query}`)).count;
  expect(await count('')).toBe((await count('shard=a')) + (await count('shard=b')));
});

test.each([
  'batches',
  'bulk-actions',
  'audit',
  'due-times',
  'schedules',
  'pauses',
  'workers',
  'unserved',
  'figures',
  'failures',
  'contracts',
  'contracts/send_invoice/parses',
  'flow',
  'doctor',
  'api-keys',
])('%s of all shards are one answer', async (path) => {
  expect(await api.ask('GET', `/v1/${path}`)).toMatchObject({ status: 200, body: { problems: [] } });
});

test('a signal goes where its payload says, and is not sent where nothing does', async () => {
  expect(await api.ask('POST', '/v1/signals/order_paid', { orderId: 1 })).toMatchObject({
    status: 400,
    body: { code: 'shard_not_given' },
  });
  expect(await api.post('/v1/signals/order_paid?shard=b', { orderId: 1 })).toEqual({ isAwaited: false });
  expect(await api.post('/v1/signals/order_paid', { orderId: 7_000 })).toEqual({ isAwaited: false });
  const kept = (shard: string) => api.db(shard).$queryRaw`SELECT id FROM duework.job_signals`;
  expect([await kept('a'), await kept('b')]).toMatchObject([[{}], [{}]]);
  expect(await api.ask('POST', '/v1/signals/none', {})).toMatchObject({ status: 404 });
});

test('a queue is paused and resumed in every shard', async () => {
  expect(await api.post('/v1/queues/default/pause', { reason: 'why' })).toMatchObject({
    name: 'default',
    shards: ['a', 'b'],
    problems: [],
  });
  expect((await api.get('/v1/pauses')).pauses).toMatchObject([{ shard: 'a' }, { shard: 'b' }]);
  expect(await api.post('/v1/queues/default/resume?shard=b')).toMatchObject({ shards: ['b'] });
  expect((await api.get('/v1/pauses')).pauses).toMatchObject([{ shard: 'a' }]);
  await api.post('/v1/queues/default/resume');
});

test('a schedule is saved in one shard and found by its key', async () => {
  const rule = { type: 'cleanup_nightly', payload: { day: { $due: 'date' } }, cron: '0 9 * * 1' };
  expect(await api.ask('PUT', '/v1/schedules/mine?shard=b', rule)).toMatchObject({ status: 201, body: { shard: 'b' } });
  expect(await api.ask('PUT', '/v1/schedules/mine', rule)).toMatchObject({ status: 200, body: { shard: 'b' } });
  expect(await api.get('/v1/schedules/mine')).toMatchObject({ key: 'mine', shard: 'b' });
  expect((await api.get('/v1/schedules')).schedules).toMatchObject([{ key: 'mine', shard: 'b' }]);
  const { id } = await api.post('/v1/schedules/mine/trigger');
  expect(id).toMatch(/^b\./);
  expect((await api.get(`/v1/due-times?job=${id}`)).dueTimes).toMatchObject([{ runId: id, shard: 'b' }]);
  expect((await api.get('/v1/audit?kind=schedule&verb=trigger_schedule')).entries[0]).toMatchObject({
    target: 'mine',
    shard: 'b',
    after: { jobId: id },
  });
  await api.ask('PUT', '/v1/schedules/mine?shard=a', rule);
  expect(await api.get('/v1/schedules/mine')).toMatchObject({ code: 'shard_not_given' });
  expect(await api.ask('DELETE', '/v1/schedules/mine?shard=a')).toMatchObject({ status: 204 });
  expect(await api.ask('DELETE', '/v1/schedules/mine')).toMatchObject({ status: 204 });
  expect(await api.ask('GET', '/v1/schedules/mine')).toMatchObject({ status: 404 });
});

test('a bulk action is begun in each shard and shown as one', async () => {
  for (const orderId of [31, 32, 33])
    await api.post('/v1/jobs', { ...invoice(orderId), queue: undefined, priority: 7, delaySeconds: 3600 });
  const action = { verb: 'cancel', filter: 'priority:7 type:send_invoice' };
  expect(await api.post('/v1/bulk-actions/preview', action)).toMatchObject({ count: { count: 3 } });
  expect(await api.post('/v1/bulk-actions', { ...action, atMost: 2 })).toMatchObject({ code: 'bulk_action_refused' });
  const begun = await api.ask('POST', '/v1/bulk-actions', { ...action, atMost: 3 });
  expect(begun).toMatchObject({ status: 202, body: { total: { count: 3 }, problems: [] } });
  const { id } = begun.body;
  expect(id).toMatch(/^a\.\d+~b\.\d+$/);
  expect(begun.headers.get('location')).toBe(`/v1/bulk-actions/${id}`);
  let now = begun.body;
  while (now.status === 'running') now = await api.get(`/v1/bulk-actions/${id}`);
  expect(now).toMatchObject({ id, status: 'finished', done: 3, filter: action.filter });
  expect((await api.get('/v1/bulk-actions')).actions).toHaveLength(2);
  const undone = await api.post(`/v1/bulk-actions/${id}/undo`);
  expect(undone).toMatchObject({ undoOf: id, verb: 'undo' });
});

test('who did what is told with the shard, and found by the id of a job', async () => {
  const { id } = await api.post('/v1/jobs', { ...invoice(41), delaySeconds: 3600 });
  await api.post(`/v1/jobs/${id}/cancel`, { reason: 'no' });
  const { entries } = await api.get(`/v1/audit?job=${id}`);
  expect(entries).toMatchObject([{ id: expect.stringMatching(/^b\./), kind: 'job', target: id, shard: 'b' }]);
  expect((await api.get(`/v1/audit?kind=job&target=${id}`)).entries).toEqual(entries);
});

test('the shards are listed, and the API is ready', async () => {
  expect(await api.get('/v1/shards')).toMatchObject({
    shards: [
      { name: 'a', isUp: true, problem: null, counts: { due: expect.any(Number) }, ofBareIds: true },
      { name: 'b', isUp: true, problem: null },
    ],
  });
  expect(await api.get('/readyz')).toMatchObject({ status: 'ready', problems: [] });
  const { text } = await api.ask('GET', '/metrics');
  expect(text).toContain('duework_shard_up{shard="a"} 1');
  expect(text).toMatch(/^duework_jobs\{shard="b",queue="default",type="send_invoice",state="due"\} \d+$/m);
  expect(text.match(/^# HELP duework_jobs /gm)).toHaveLength(1);
});

describe('a stream', () => {
  const readFirst = async (path: string, until: string): Promise<string> => {
    const response = await api.handler(new Request(`http://localhost${path}`), {
      incoming: { socket: { remoteAddress: '127.0.0.1' } },
    });
    let text = '';
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(bytes);
      if (text.includes(until)) break;
    }
    return text;
  };

  test('of a job is that of its shard', async () => {
    const { id } = await api.post('/v1/jobs', { ...invoice(51), delaySeconds: 3600 });
    const text = await readFirst(`/v1/jobs/${id}/events`, '\n\nevent: job');
    expect(text + (await readFirst(`/v1/jobs/${id}/events`, '"type"'))).toContain(`"id":"${id}"`);
  });
});

test('exactly one of db and shards is given', async () => {
  const { createQueueHandler } = await import('../create-queue-handler.js');
  // @ts-expect-error neither
  expect(() => createQueueHandler({ catalog: [] })).toThrow(expect.objectContaining({ code: 'invalid_option' }));
  // @ts-expect-error both
  expect(() => createQueueHandler({ catalog: [], db: api.db('a'), shards: { a: api.db('a') } })).toThrow(
    expect.objectContaining({ code: 'invalid_option' }),
  );
  expect(() => createQueueHandler({ catalog: [], shards: { B: api.db('a') } })).toThrow(
    expect.objectContaining({ code: 'invalid_option' }),
  );
});

describe('a name in a path', () => {
  const NAMES = ['x\\..\\other', 'a/b', 'a%2Fb', '?#&', '..\\..', '😀', '__proto__', '%', ' '];

  test.each(NAMES)('is asked for in each shard as it is: %s', async (name) => {
    const place = encodeURIComponent(name);
    for (const kind of ['queue', 'type']) {
      const paused = await api.ask('POST', `/v1/${kind}s/${place}/pause`, {});
      expect(paused).toMatchObject({ status: 200, body: { kind, name, shards: ['a', 'b'] } });
      expect(await api.ask('POST', `/v1/${kind}s/${place}/resume`, {})).toMatchObject({
        status: 200,
        body: { pause: { kind, name } },
      });
    }
    for (const path of [
      `/v1/flow/limit/${place}`,
      `/v1/schedules/${place}`,
      `/v1/jobs/${place}`,
      `/v1/batches/${place}`,
    ])
      expect({ path, status: (await api.ask('GET', path)).status }).toEqual({ path, status: 404 });
  });

  test.each(['x\\..\\order_paid', 'x/../order_paid', 'x%2F..%2Forder_paid'])(
    'leads no signal elsewhere: %s',
    async (name) => {
      const count = () => Promise.all(['a', 'b'].map((shard) => api.db(shard).jobSignal.count()));
      const before = await count();
      const sent = await api.ask('POST', `/v1/signals/${encodeURIComponent(name)}`, { orderId: 5_000 });
      expect(sent).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(await count()).toEqual(before);
    },
  );
});

test.each([null, 1, [], {}, 'x', { orderId: {} }])(
  'a signal whose payload shardOf cannot read is refused as over one database: %j',
  async (payload) => {
    const sent = await api.ask('POST', '/v1/signals/order_paid', payload);
    expect(sent).toMatchObject({ body: { code: expect.stringMatching(/^(invalid_payload|shard_not_given)$/) } });
    expect((await api.ask('POST', '/v1/signals/order_paid?shard=a', payload)).body.code).toBe('invalid_payload');
  },
);
