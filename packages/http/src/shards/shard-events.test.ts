import { afterEach, describe, expect, test } from '@jest/globals';
import { readEvents, type ReadEvent } from '../testing/read-events.js';
import { useServedShards } from '../testing/use-served-shards.js';
import type { AnyJson } from '../testing/use-test-api.js';

const served = useServedShards(['a', 'b']);
const { api } = served;
const closes: (() => void)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) close();
  await api.restore();
});

let orders = 0;
/** A filter that nothing else fits. */
const nextOrder = (): number => ++orders;
const post = async (shard: string, orderId: number): Promise<string> =>
  (
    await api.post(`/v1/jobs?shard=${shard}`, {
      type: 'send_invoice',
      payload: { orderId },
      delaySeconds: 3_600,
      idempotencyKey: null,
    })
  ).id;

async function follow(query: string, lastId?: string) {
  const headers: Record<string, string> = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
  const events = await readEvents(`${served.url}/v1/events?${query}`, headers);
  closes.push(events.close);
  return {
    ...events,
    /** The first event that is as it is waited for. */
    async until(isIt: (event: ReadEvent) => boolean): Promise<ReadEvent> {
      for (;;) {
        const event = await events.next();
        if (event === null) throw new Error('the stream has ended');
        if (isIt(event)) return event;
      }
    },
  };
}
const ofOrder = (orderId: number): string => `filter=${encodeURIComponent(`payload.orderId:${orderId}`)}`;
/** Every shard is in it: on a machine that is busy for a second, one may come later. */
const isWhole = ({ data }: { readonly data: AnyJson }): boolean => data.problems.length === 0;
const idsOf = ({ data }: { readonly data: AnyJson }): string[] => data.ids;

describe('the events of all shards', () => {
  test('tell one page of them, and then what becomes of it in each', async () => {
    const order = nextOrder();
    const [first, second] = [await post('a', order), await post('b', order)];
    const events = await follow(ofOrder(order));
    expect(await events.until(isWhole)).toMatchObject({
      data: { ids: [second, first], nextCursor: null, complete: true, problems: [] },
    });
    for (const shard of ['a', 'b']) {
      const id = await post(shard, order);
      const { event, data } = await events.until((one) => idsOf(one).includes(id));
      expect({ event, changed: data.jobs.map((job: AnyJson) => job.id) }).toEqual({ event: 'change', changed: [id] });
      expect(data.ids[0]).toBe(id);
      await api.post(`/v1/jobs/${id}/cancel`);
      const cancelled = await events.until(({ data: { jobs } }) => jobs[0]?.status === 'cancelled');
      expect(cancelled.data.jobs).toMatchObject([{ id }]);
    }
  });

  test('go on behind the page where the list does', async () => {
    const order = nextOrder();
    const job = { type: 'send_invoice', payload: { orderId: order }, delaySeconds: 3_600, idempotencyKey: null };
    for (const shard of ['a', 'b', 'a', 'b'])
      await api.post(`/v1/jobs/batch?shard=${shard}`, { jobs: Array.from({ length: 20 }, () => job) });
    const { data } = await (await follow(ofOrder(order))).until(isWhole);
    expect(data.ids).toHaveLength(50);
    const rest = await api.get(`/v1/jobs?${ofOrder(order)}&cursor=${data.nextCursor}`);
    expect(rest.jobs).toHaveLength(30);
    const all = await api.get(`/v1/jobs?${ofOrder(order)}&limit=100`);
    expect([...data.ids, ...rest.jobs.map(({ id }: AnyJson) => id)]).toEqual(all.jobs.map(({ id }: AnyJson) => id));
  });

  test('tell whoever comes again what has changed meanwhile in any shard, and nothing where none has', async () => {
    const order = nextOrder();
    await post('a', order);
    await post('b', order);
    const left = await follow(ofOrder(order));
    const { id } = (await left.next())!;
    left.close();
    const still = await follow(ofOrder(order), id);
    const third = await post('a', order);
    expect(await still.next()).toMatchObject({
      event: 'change',
      data: { ids: [third, expect.any(String), expect.any(String)] },
    });
    const again = await follow(ofOrder(order), id);
    expect(await again.next()).toMatchObject({
      event: 'page',
      data: { ids: [third, expect.any(String), expect.any(String)] },
    });
  });

  test.each([
    ['?shard=', (order: number) => `shard=b&${ofOrder(order)}`],
    ['shard:', (order: number) => `filter=${encodeURIComponent(`shard:b payload.orderId:${order}`)}`],
  ])('are of one shard where %s names it', async (_how, query) => {
    const order = nextOrder();
    await post('a', order);
    const id = await post('b', order);
    const events = await follow(query(order));
    expect(await events.until(isWhole)).toMatchObject({ id: expect.stringMatching(/^b\.[^~]+$/), data: { ids: [id] } });
  });

  test('are refused for what is no filter', async () => {
    expect(await api.ask('GET', '/v1/events?filter=nonsense:x')).toMatchObject({
      status: 422,
      body: { code: 'invalid_filter' },
    });
    expect(await api.ask('GET', '/v1/events?shard=z')).toMatchObject({ status: 404, body: { code: 'unknown_shard' } });
    expect(await api.ask('HEAD', '/v1/events')).toMatchObject({ status: 200 });
  });
});

describe.each([
  ['hangs', 'too_slow', () => api.proxy('b').hang()],
  ['is away', 'database_away', () => api.proxy('b').refuse()],
])('where a shard %s', (_how, problem, take) => {
  test('its part is left out and named, the others go on, and it is followed again', async () => {
    const order = nextOrder();
    const [first, second] = [await post('a', order), await post('b', order)];
    const events = await follow(ofOrder(order));
    await events.until((one) => idsOf(one).length === 2);
    take();
    const left = await events.until(({ data }) => data.problems.length === 1);
    expect(left.data).toMatchObject({ ids: [first], jobs: [], problems: [{ shard: 'b', problem }] });
    const third = await post('a', order);
    expect(await events.until((one) => idsOf(one).includes(third))).toMatchObject({
      data: { problems: [{ shard: 'b' }] },
    });
    await api.restore();
    const back = await events.until(isWhole);
    expect(idsOf(back)).toEqual([third, second, first]);
    const fourth = await post('b', order);
    expect(idsOf(await events.until((one) => idsOf(one).includes(fourth)))).toEqual([fourth, third, second, first]);
  });

  test('when they are asked for, they begin without it, and it comes', async () => {
    const order = nextOrder();
    const [first, second] = [await post('a', order), await post('b', order)];
    take();
    const events = await follow(ofOrder(order));
    expect(await events.next()).toMatchObject({ event: 'page', data: { ids: [first], problems: [{ shard: 'b' }] } });
    await api.restore();
    const back = await events.until(isWhole);
    expect(idsOf(back)).toEqual([second, first]);
  });
});

test('the events of shards none of which answers are refused', async () => {
  for (const name of ['a', 'b']) api.proxy(name).refuse();
  expect(await api.ask('GET', `/v1/events?${ofOrder(nextOrder())}`)).toMatchObject({
    status: 503,
    body: { code: 'database_away' },
  });
});
