import { cancelJob } from '@duework/queue-core';
import { afterEach, expect, test } from '@jest/globals';
import { type AnyJson } from '../testing/use-test-api.js';
import { useTestShards } from '../testing/use-test-shards.js';

const api = useTestShards(['a', 'b']);
let orderId = 0;
afterEach(() => api.restore());

/** A job that has ended in a shard: its id as the API has it. */
async function end(shard: string): Promise<string> {
  const { id } = await api.post(`/v1/jobs?shard=${shard}`, { type: 'send_invoice', payload: { orderId: ++orderId } });
  await cancelJob(api.db(shard), (id as string).replace(/^.*\./, ''));
  return id;
}
/** Reads on until so many ends are told: a shard may take too long, or something holds its page back for a moment. */
async function readOn(count: number, after?: string, limit = 1): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = [];
  for (let cursor = after; ;) {
    const page: AnyJson = await api.get(
      `/v1/ended-jobs?limit=${limit}${cursor === undefined ? '' : `&after=${cursor}`}`,
    );
    ids.push(...page.jobs.map(({ id }: AnyJson) => id));
    cursor = page.cursor as string;
    if (ids.length >= count) return { ids, cursor };
  }
}

test('the ends of all shards are told once with one cursor, and a shard that is away keeps its place', async () => {
  const first = [await end('a'), await end('b'), await end('a')];
  const { ids, cursor } = await readOn(3);
  expect(ids.sort()).toEqual(first.sort());
  const second = [await end('a'), await end('b')];
  api.proxy('b').refuse();
  const part = await readOn(1, cursor);
  expect(part.ids).toEqual([second[0]]);
  await api.restore();
  expect((await readOn(1, part.cursor)).ids).toEqual([second[1]]);
});

test('a shard that the cursor does not know begins with its oldest', async () => {
  const old = [await end('b'), await end('b')] as const;
  let { cursor } = await api.get('/v1/ended-jobs?after=now&shard=a');
  const ids: string[] = [];
  // the newest may be held back while the others are told
  while (!old.every((id) => ids.includes(id))) {
    const page = await readOn(1, cursor, 200);
    ids.push(...page.ids);
    ({ cursor } = page);
  }
  expect(ids.indexOf(old[0])).toBeLessThan(ids.indexOf(old[1]));
  expect(new Set(ids).size).toBe(ids.length);
});

test('now is refused where a shard is away, because what ends there would be missed', async () => {
  await end('b');
  api.proxy('b').refuse();
  expect(await api.get('/v1/ended-jobs?after=now')).toMatchObject({ code: 'database_away' });
  expect(await api.get('/v1/ended-jobs?after=x')).toMatchObject({ code: 'invalid_cursor' });
});
