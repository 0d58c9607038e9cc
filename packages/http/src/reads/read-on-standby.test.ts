import { connectPg, type PgClient } from '@duework/database';
import { enqueue } from '@duework/queue-core';
import { catalog, sendReceipt } from '@duework/shop';
import { useReplicas } from '@duework/testing/fixtures';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { authorizeLocal } from '../access/authorize/authorize-local.js';
import { createQueueHandler, type QueueHandler } from '../create-queue-handler.js';
import type { AnyJson } from '../testing/use-test-api.js';
import { waitUntil } from '../testing/wait-until.js';

/** As a Node server tells of a request of this machine. */
const LOCAL = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
const LISTS = [
  '/v1/jobs',
  '/v1/jobs/count',
  '/v1/batches',
  '/v1/audit',
  '/v1/figures',
  '/v1/failures',
  '/v1/due-times',
];

const { r1, r2, r3 } = useReplicas();
const logged: string[] = [];
const log = { debug() {}, info() {}, warn: (_: object, name: string) => void logged.push(name), error() {} };
let db: PgClient;
let readDb: PgClient;
let handler: QueueHandler;

beforeAll(() => {
  db = connectPg({ url: r1.url, role: 'app' });
  readDb = connectPg({ url: r2.url, role: 'app', connectTimeoutMs: 2_000 });
  handler = createQueueHandler({ db, readDb, catalog, authorize: authorizeLocal(), log });
});
afterAll(async () => {
  await db.$disconnect();
  await readDb.$disconnect();
});

async function get(path: string): Promise<{ status: number; asOf: string | null; body: AnyJson }> {
  const answer = await handler(new Request(`http://127.0.0.1${path}`), LOCAL);
  return { status: answer.status, asOf: answer.headers.get('Duework-As-Of'), body: await answer.json() };
}

const receipt = (receiptId: string) => ({ receiptId, email: 'ada@example.com', amountCents: 1, currency: 'EUR' });
const idsOf = async (): Promise<string[]> => (await get('/v1/jobs')).body.jobs.map(({ id }: { id: string }) => id);

test('lists, counts and figures are those of the standby, and say until when it knows what was committed', async () => {
  const { id } = await enqueue(db, sendReceipt, receipt('r-1'));
  await waitUntil('The standby has the job', async () => (await idsOf()).includes(id));
  for (const path of LISTS) {
    const { status, asOf } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(Date.now() - Date.parse(asOf!)).toBeLessThan(60_000);
  }
  await r2.ask('SELECT pg_wal_replay_pause()');
  const later = await enqueue(db, sendReceipt, receipt('r-2'));
  expect(await idsOf()).toEqual([id]);
  // by its id a job is what it is: what people do next is decided by it
  expect(await get(`/v1/jobs/${later.id}`)).toMatchObject({ status: 200, asOf: null });
  await r2.ask('SELECT pg_wal_replay_resume()');
  await waitUntil('The standby goes on', async () => (await idsOf()).includes(later.id));
});

test('a wrong filter is refused as ever, and not asked of the primary', async () => {
  expect((await get('/v1/jobs?filter=status:nosuch')).status).toBe(422);
  expect(logged).toEqual([]);
});

test('the primary answers while the standby does not, and the log says so', async () => {
  r2.kill();
  const { id } = await enqueue(db, sendReceipt, receipt('r-3'));
  const { status, asOf, body } = await get('/v1/jobs');
  expect([status, asOf]).toEqual([200, null]);
  expect(body.jobs.map((job: { id: string }) => job.id)).toContain(id);
  expect(logged).toEqual(['standby.failed']);
  expect(await r3.isStandby()).toBe(true);
});
