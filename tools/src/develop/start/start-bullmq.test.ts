import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitUntil } from '../../kit/wait-until.js';
import { spawnStart, type SpawnedStart } from './testing/spawn-start.js';

let start: SpawnedStart;
let api = '';

beforeAll(async () => {
  start = await spawnStart({ args: ['--queue', 'bullmq'], env: { SHOP_ORDERS: 'on' } });
  api = `${start.url}/queue-redis`;
  await start.untilReady();
});
afterAll(() => start.remove(), 60_000);

const get = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T;

test('the start names the console of the dedicated queue, which is served at an address of its own', async () => {
  expect(start.said()).toContain(`${api}/console`);
  expect((await fetch(`${api}/console`)).status).toBe(200);
  expect(await get(`${api}/v1/principal`)).toMatchObject({ queue: { kind: 'Redis' } });
  expect(await get(`${start.url}/v1/principal`)).toMatchObject({ queue: { kind: 'PostgreSQL' } });
});

test('a receipt of an order comes to the dedicated queue, and an invoice to the table', async () => {
  const { jobs } = await waitUntil(
    'No receipt has come to Redis',
    async () => {
      const page = await get<{ jobs: { id: string; type: string }[] }>(`${api}/v1/jobs`);
      return page.jobs.length > 0 && page;
    },
    { limitMs: 60_000 },
  );
  expect(new Set(jobs.map(({ type }) => type))).toEqual(new Set(['send_receipt']));
  // nothing keeps it in a minute's delay
  const id = encodeURIComponent(jobs[0]!.id);
  await fetch(`${api}/v1/jobs/${id}/retry`, { method: 'POST' });
  expect(await get(`${api}/v1/jobs/${id}?wait=30`)).toMatchObject({ status: 'succeeded' });
  expect(await get(`${start.url}/v1/jobs?filter=type:send_invoice&limit=1`)).toMatchObject({
    jobs: [{ type: 'send_invoice' }],
  });
});

test('a start that is told to stop stops its Redis, too', async () => {
  expect(await start.stop()).toBe(0);
  expect(start.said()).toContain('Stopping Redis');
});
