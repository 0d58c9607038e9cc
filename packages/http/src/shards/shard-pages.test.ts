import { Prisma } from '@duework/database';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type AnyJson } from '../testing/use-test-api.js';
import { useTestShards } from '../testing/use-test-shards.js';

const NAMES = ['a', 'b', 'c'];
const api = useTestShards(NAMES);

/** Jobs in all shards, of which neighbours by their moments are in different ones; every fourth runs. */
beforeAll(async () => {
  for (const [at, name] of NAMES.entries()) {
    await api.db(name).$executeRaw(
      Prisma.raw(
        `INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts, created_at)
       SELECT 'default', 'send_receipt', 1, 5, now() - (n * 3 + ${at}) * interval '1 millisecond', '{}', 3,
         now() - interval '1 hour' + (n * 3 + ${at}) * interval '1 millisecond'
       FROM generate_series(1, ${[40, 25, 3][at]}) AS n ORDER BY n`,
      ),
    );
    await api.db(name).$executeRaw(
      Prisma.raw(
        `UPDATE duework.job_runs SET status = 'running', attempts = 1, fence = 1, locked_by = 'w',
         locked_until = now() + interval '1 hour', claimed_at = now() WHERE id % 4 = 0`,
      ),
    );
  }
});

/** A page with the parts of all shards: on a busy machine one may take too long, which the page says. */
async function askAll(path: string): Promise<AnyJson> {
  for (;;) {
    const page: AnyJson = await api.get(path);
    if (page.problems.length === 0) return page;
    for (const { problem } of page.problems) expect(problem).toBe('too_slow');
  }
}

/** All rows of a list, page by page; each page is at most as long as was asked for. */
async function walk(path: string, rows: string, limit: number): Promise<{ all: AnyJson[]; pages: AnyJson[] }> {
  const pages: AnyJson[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await askAll(`${path}limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(page[rows].length).toBeLessThanOrEqual(limit);
    pages.push(page);
    cursor = page.nextCursor;
  }
  return { all: pages.flatMap((page) => page[rows]), pages };
}
const idsOf = (jobs: AnyJson[]): string[] => jobs.map(({ id }: { id: string }) => id);

/** What each shard has of a list, by itself. */
async function inEach(path: string, rows: string): Promise<AnyJson[]> {
  const each = await Promise.all(NAMES.map((name) => api.get(`${path}limit=200&shard=${name}`)));
  return each.flatMap((page) => page[rows]);
}

describe('pages of jobs lead to every job once,', () => {
  test.each([1, 7, 20, 200])('%d at a time, newest first, and back', async (limit) => {
    const { all, pages } = await walk('/v1/jobs?', 'jobs', limit);
    const known = await inEach('/v1/jobs?', 'jobs');
    expect(new Set(idsOf(all))).toEqual(new Set(idsOf(known)));
    expect(all).toHaveLength(68);
    const moments = all.map(({ createdAt }) => createdAt as string);
    expect(moments).toEqual([...moments].sort().reverse());

    const back: string[] = idsOf(pages.at(-1).jobs);
    let { previousCursor } = pages.at(-1);
    while (previousCursor !== null) {
      const page = await api.get(`/v1/jobs?limit=${limit}&cursor=${previousCursor}`);
      back.unshift(...idsOf(page.jobs));
      ({ previousCursor } = page);
    }
    expect(back).toEqual(idsOf(all));
  });

  test('and those that run the longest due first', async () => {
    const { all } = await walk('/v1/jobs?filter=status:running&', 'jobs', 4);
    expect(new Set(idsOf(all))).toEqual(new Set(idsOf(await inEach('/v1/jobs?filter=status:running&', 'jobs'))));
    expect(all.length).toBeGreaterThan(12);
    expect(new Set(idsOf(all)).size).toBe(all.length);
    const due = all.map(({ runAt }) => runAt as string);
    expect(due).toEqual([...due].sort());
  });
});

test('jobs that come meanwhile shift no page', async () => {
  const first = await api.get('/v1/jobs?limit=10&filter=type:send_receipt');
  const payload = { receiptId: 'r', email: 'a@example.org', amountCents: 1, currency: 'EUR' };
  for (const name of NAMES) {
    const sent = { type: 'send_receipt', payload, idempotencyKey: `new-${name}` };
    expect(await api.post(`/v1/jobs?shard=${name}`, sent)).toMatchObject({ id: expect.any(String) });
  }
  const second = await api.get(`/v1/jobs?limit=10&filter=type:send_receipt&cursor=${first.nextCursor}`);
  const { all } = await walk('/v1/jobs?filter=type:send_receipt&', 'jobs', 200);
  expect([...idsOf(first.jobs), ...idsOf(second.jobs)]).toEqual(idsOf(all).slice(3, 23));
});

test('pages of every other list lead to all of it once', async () => {
  for (const name of NAMES)
    for (const n of [1, 2, 3]) {
      // asked again after a slow answer, it is the same batch
      const headers = { 'Idempotency-Key': `${name}${n}` };
      await api.post(`/v1/batches?shard=${name}`, { name: `${name}${n}`, jobs: [] }, headers);
      const rule = { type: 'cleanup_nightly', payload: { day: { $due: 'date' } }, cron: '0 9 * * 1' };
      await api.ask('PUT', `/v1/schedules/s${n}-${name}?shard=${name}`, rule);
      await api.post(`/v1/schedules/s${n}-${name}/trigger`);
      await api.post(`/v1/bulk-actions?shard=${name}`, {
        verb: 'change_priority',
        priority: n,
        filter: 'queue:default',
      });
    }
  const lists = [
    ['/v1/batches?', 'batches', 'id', 9],
    ['/v1/schedules?', 'schedules', 'key', 9],
    ['/v1/due-times?', 'dueTimes', 'runId', 9],
    ['/v1/bulk-actions?', 'actions', 'id', 9],
    ['/v1/audit?kind=schedule&', 'entries', 'id', 18],
  ] as const;
  for (const [path, rows, id, count] of lists) {
    const { all } = await walk(path, rows, 2);
    expect({ path, count: new Set(all.map((row) => row[id])).size }).toEqual({ path, count });
    expect(all).toHaveLength(count);
    expect(all).toEqual((await walk(path, rows, 100)).all);
  }
});

test.each(['x', Buffer.from('["listJobs",0,{"a":"","b":""}]').toString('base64url'), 'eyJhZnRlciI6Ii0xIn0'])(
  'a cursor that no page has given is refused: %s',
  async (cursor) => {
    expect(await api.ask('GET', `/v1/jobs?cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    });
  },
);

test.each([
  '["listJobs",0,{"a":"x","b":"","c":""}]',
  '["listJobs",1,{"a":"x","b":"","c":""}]',
  '["listJobs",1,{"a":"eyJhZnRlciI6Ii0xLTEifQ","b":"","c":""}]',
  '["listJobs",0,{"a":null,"b":null,"c":null}]',
  '["listBatches",0,{"a":"","b":"","c":""}]',
])('nor one that was changed: %s', async (text) => {
  const cursor = Buffer.from(text).toString('base64url');
  expect(await api.ask('GET', `/v1/jobs?cursor=${cursor}`)).toMatchObject({
    status: 400,
    body: { code: 'invalid_cursor' },
  });
});
