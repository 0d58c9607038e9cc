import { Prisma } from '@duework/database';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readMonotonicMs } from '../clock.js';
import { useTestShards } from '../testing/use-test-shards.js';
import { waitUntil } from '../testing/wait-until.js';

const api = useTestShards(['a', 'b']);
let lastOrder = 100;
const invoice = (orderId: number) => ({ type: 'send_invoice', payload: { orderId } });

afterEach(() => api.restore());

/** How long a request takes. */
async function timed<T>(run: () => Promise<T>): Promise<[T, number]> {
  const startedMs = readMonotonicMs();
  return [await run(), readMonotonicMs() - startedMs];
}

describe.each([
  ['hangs', 'too_slow', () => api.proxy('b').hang()],
  ['is away', 'database_away', () => api.proxy('b').refuse()],
])('a shard that %s', (_how, problem, take) => {
  test('is named in what all answer together, whose other parts are there', async () => {
    const { id } = await api.post('/v1/jobs?shard=a', invoice(1));
    await api.post('/v1/jobs?shard=b', invoice(1));
    take();
    const missing = [{ shard: 'b', problem }];
    const jobs = await api.get('/v1/jobs');
    expect(jobs).toMatchObject({ problems: missing });
    expect(jobs.jobs).toEqual(expect.arrayContaining([expect.objectContaining({ id })]));
    for (const path of ['jobs/count', 'queues', 'figures', 'failures', 'workers', 'schedules', 'audit', 'batches'])
      expect({ path, ...(await api.get(`/v1/${path}`)) }).toMatchObject({ path, problems: missing });
    expect(await api.get('/v1/shards')).toMatchObject({
      shards: [{ isUp: true }, { isUp: false, problem, since: expect.any(String), counts: null }],
    });
  });

  test('leaves the API ready, degraded', async () => {
    take();
    expect(await api.ask('GET', '/readyz')).toMatchObject({
      status: 200,
      body: { status: 'degraded', problems: [{ shard: 'b' }] },
    });
    const { text } = await api.ask('GET', '/metrics');
    expect(text).toContain('duework_shard_up{shard="a"} 1');
    expect(text).toContain('duework_shard_up{shard="b"} 0');
    expect(text).toContain('duework_jobs{shard="a"');
  });

  test('costs the others at most a second, and once it is known nothing', async () => {
    const { id } = await api.post('/v1/jobs?shard=a', invoice(2));
    take();
    const [, firstMs] = await timed(() => api.get('/v1/queues'));
    expect(firstMs).toBeLessThan(1_900);
    await waitUntil('it is known', async () => (await timed(() => api.get('/v1/queues')))[1] < 500);
    // fifty, ten at once: more would take a second of a busy machine for themselves
    for (let round = 0; round < 5; round++) {
      const started = Array.from({ length: 10 }, () => timed(() => api.get('/v1/queues')));
      const own = await timed(() => api.get(`/v1/jobs/${id}`));
      expect(own[0]).toMatchObject({ id });
      for (const [answer, ms] of [...(await Promise.all(started)), own]) {
        expect(answer).toBeDefined();
        expect(ms).toBeLessThan(900);
      }
    }
  });

  test('leaves a bulk action of which it has a part whole, and running', async () => {
    for (const name of ['a', 'b'])
      await api.post(`/v1/jobs?shard=${name}`, { ...invoice(++lastOrder), priority: 7, delaySeconds: 3600 });
    const { id } = await api.post('/v1/bulk-actions', { verb: 'cancel', filter: 'priority:7', atMost: 4 });
    expect(id).toMatch(/^a\.\d+~b\.\d+$/);
    const read = () => api.get(`/v1/bulk-actions/${id}`);
    await waitUntil('it has ended', async () => (await read()).status === 'finished');
    take();
    expect(await read()).toMatchObject({
      id,
      status: 'running',
      finishedAt: null,
      undoUntil: null,
      shards: [{ shard: 'a', status: 'finished' }],
      problems: [{ shard: 'b', problem }],
    });
  });

  test('refuses what is asked of it by its id, by its name', async () => {
    const { id } = await api.post('/v1/jobs?shard=b', invoice(3));
    take();
    for (const ask of [() => api.ask('GET', `/v1/jobs/${id}`), () => api.ask('POST', `/v1/jobs/${id}/cancel`, {})])
      expect(await ask()).toMatchObject({
        status: 503,
        body: { code: 'database_away', detail: expect.stringContaining('shard b') },
      });
    expect(await api.ask('POST', '/v1/jobs?shard=b', invoice(4))).toMatchObject({ status: 503 });
  });

  test('is left out where a queue is paused, and named', async () => {
    take();
    expect(await api.post('/v1/queues/mail/pause')).toMatchObject({ shards: ['a'], problems: [{ shard: 'b' }] });
    await api.restore();
    // where it hung, the pause may have come later
    expect(await api.post('/v1/queues/mail/resume')).toMatchObject({
      shards: expect.arrayContaining(['a']),
      problems: [],
    });
  });

  test('keeps its place in a list, and comes in it as it answers again', async () => {
    for (let n = 0; n < 3; n++) {
      await api.post('/v1/jobs?shard=a', invoice(100 + n));
      await api.post('/v1/jobs?shard=b', invoice(200 + n));
    }
    const all = (await api.get('/v1/jobs?limit=200')).jobs.map(({ id }: { id: string }) => id);
    take();
    const first = await api.get('/v1/jobs?limit=2');
    expect(first.problems).toHaveLength(1);
    await api.restore();
    const second = await api.get(`/v1/jobs?limit=200&cursor=${first.nextCursor}`);
    const seen = [...first.jobs, ...second.jobs].map(({ id }: { id: string }) => id);
    expect(seen.sort()).toEqual(all.sort());
  });

  test('ends a list where the others are at their end', async () => {
    take();
    const { nextCursor, problems } = await api.get('/v1/jobs?limit=200');
    expect({ nextCursor, problems }).toMatchObject({ nextCursor: null, problems: [{ shard: 'b' }] });
  });

  test('may have a schedule that no other has: that it is not there is not said', async () => {
    take();
    expect(await api.ask('GET', '/v1/schedules/unknown')).toMatchObject({
      status: 503,
      body: { code: 'database_away' },
    });
  });

  test('gets no job whose shard may be any', async () => {
    take();
    const report = { type: 'send_weekly_report', payload: { userId: 1, from: '2026-01-01', to: '2026-01-07' } };
    await waitUntil('it is known', async () => !(await api.get('/v1/shards')).shards[1].isUp);
    for (let n = 0; n < 3; n++)
      expect(await api.post('/v1/jobs', { ...report, idempotencyKey: null })).toMatchObject({
        id: expect.stringMatching(/^a\./),
      });
  });
});

test('where none answers, what all answer together is refused', async () => {
  for (const name of ['a', 'b']) api.proxy(name).refuse();
  expect(await api.ask('GET', '/v1/queues')).toMatchObject({ status: 503, body: { code: 'database_away' } });
  expect(await api.ask('GET', '/readyz')).toMatchObject({ status: 503, body: { code: 'not_ready' } });
});

test('a request that is slow by itself does not close its shard', async () => {
  const { id } = await api.post('/v1/jobs?shard=b', invoice(5));
  // a lock that a change has to wait for
  let release = (): void => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  let isLocked = false;
  const locked = api.db('b').$transaction(
    async (tx) => {
      await tx.$executeRaw(Prisma.raw(`SELECT FROM duework.job_runs WHERE id = ${id.slice(2)} FOR UPDATE`));
      isLocked = true;
      await isReleased;
    },
    { timeout: 20_000 },
  );
  await waitUntil('it is locked', () => isLocked);
  const cancelled = api.post(`/v1/jobs/${id}/cancel`);
  const [, ms] = await timed(() => Promise.race([cancelled, new Promise((resolve) => setTimeout(resolve, 2_500))]));
  expect(ms).toBeGreaterThan(2_400);
  expect(await api.get('/v1/queues')).toMatchObject({ problems: [] });
  release();
  await locked;
  expect(await cancelled).toMatchObject({ id, status: 'cancelled' });
});
