import { emptyTables } from '@duework/testing/fixtures';
import { randomBytes } from 'node:crypto';
import { defineCatalog, defineJob } from '@duework/contracts';
import { createKeyRing, setKeyRing } from '@duework/queue-core';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { PgBoss } from 'pg-boss';
import { z } from 'zod';
import { useMoves } from './testing/use-moves.js';

const payload = z.object({ n: z.int() });
const sendMail = defineJob({ type: 'send-mail', payload });
const syncAccount = defineJob({ type: 'sync-account', payload, unique: { by: ({ n }) => n, while: 'waiting' } });
const callCustomer = defineJob({ type: 'call-customer', payload, order: { by: ({ n }) => n }, limits: [{ max: 1 }] });
const pay = defineJob({ type: 'pay', payload: payload.extend({ iban: z.string() }), sensitive: ['/iban'] });
const { database, run, plan, move, atEnd } = useMoves(defineCatalog([sendMail, syncAccount, callCustomer, pay]));
const FROM = ['--from', 'pg-boss'];
const HOUR_MS = 3_600_000;

let boss: PgBoss;
beforeAll(async () => {
  boss = new PgBoss({ connectionString: database.url, supervise: false, schedule: false });
  await boss.start();
  atEnd(() => boss.stop({ graceful: false }));
});
beforeEach(async () => {
  for (const { name } of await boss.getQueues()) await boss.deleteQueue(name);
  await boss.createQueue('send-mail');
  await emptyTables(database.db, 'job_runs, job_history, job_keys');
});

interface Row {
  readonly n: number;
  readonly run_at: Date;
  readonly priority: number;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly status: string;
  readonly key: string | null;
  readonly last_error: string | null;
  readonly job: string;
}
const here = async (): Promise<Row[]> =>
  database.db.$queryRaw`
    SELECT (j.payload ->> 'n')::integer AS n, j.run_at, j.priority, j.attempts, j.max_attempts, j.status, k.key, j.last_error,
      j.meta ->> 'movedJob' AS job
    FROM duework.jobs AS j LEFT JOIN duework.job_keys AS k ON k.run_id = j.id ORDER BY 1`;
const there = async () => {
  const rows = await database.db.$queryRaw<{ row: Record<string, unknown> }[]>`
    SELECT to_jsonb(j) AS row FROM pgboss.job AS j ORDER BY j.created_on, j.id`;
  return rows.map(({ row }) => row);
};

test('a plan tells what waits by name and state, what has no contract and what its contract refuses, and moves nothing', async () => {
  await boss.createQueue('other');
  await boss.send('send-mail', { n: 1 });
  const refused = await boss.send('send-mail', { n: 'one' });
  await boss.send('other', { n: 3 });
  const before = await there();
  expect(await plan(...FROM)).toEqual({
    counts: [
      { name: 'other', queue: null, state: 'waiting', jobs: 1, type: null },
      { name: 'send-mail', queue: null, state: 'waiting', jobs: 2, type: 'send-mail' },
    ],
    jobs: 1,
    stays: [
      {
        name: 'send-mail',
        why: expect.stringMatching(/^its contract refuses it: \/n: .*number/),
        jobs: 1,
        ids: [refused],
      },
    ],
    schedules: [],
  });
  expect((await run([...FROM, '--dry-run'])).out).toMatch(/^other +waiting +1 +stays: no contract/m);
  await expect(run(FROM)).rejects.toMatchObject({ code: 'confirmation_needed' });
  await expect(run(FROM, { confirm: async () => false })).rejects.toMatchObject({ code: 'not_confirmed' });
  expect(await there()).toEqual(before);
  expect(await here()).toEqual([]);
});

test('a job moves with its moment, its priority turned round, and the attempts that it has left; what cannot stays', async () => {
  const startAfter = new Date(Date.now() + HOUR_MS);
  await boss.send('send-mail', { n: 3 }, { retryLimit: 2, retryDelay: 600 });
  const [third] = await boss.fetch('send-mail');
  await boss.fail('send-mail', third!.id, new Error('not now'));
  const far = await boss.send('send-mail', { n: 1 }, { startAfter, priority: 3, retryLimit: 4 });
  await boss.send('send-mail', { n: 2 }, { priority: -100 });
  await boss.send('send-mail', { n: 'x' });
  const report = await move(...FROM);
  expect(report).toMatchObject({ moved: [{ name: 'send-mail', waiting: 3, dead: 0 }], isDone: true });
  expect(report.stays).toMatchObject([{ jobs: 1 }]);
  const rows = await here();
  expect(rows[0]).toMatchObject({ n: 1, priority: 2, max_attempts: 5, status: 'queued', job: `send-mail/${far}` });
  expect(rows[0]!.run_at.getTime()).toBe(startAfter.getTime());
  expect(rows[1]).toMatchObject({ n: 2, priority: 9 });
  expect(rows[2]).toMatchObject({ n: 3, attempts: 1, max_attempts: 3, status: 'failed', last_error: 'not now' });
  expect(await there()).toMatchObject([{ data: { n: 'x' } }]);
  expect(await move(...FROM)).toMatchObject({ moved: [{ waiting: 0, dead: 0 }], stays: [{ jobs: 1 }] });
});

test('one that runs stays with the worker that has it, and one that has failed for good is dead here, without being told of', async () => {
  await boss.send('send-mail', { n: 1 }, { retryLimit: 0 });
  const [dying] = await boss.fetch('send-mail');
  await boss.fail('send-mail', dying!.id, new Error('gone'));
  await boss.send('send-mail', { n: 2 });
  const [running] = await boss.fetch('send-mail');
  expect(await move(...FROM)).toMatchObject({ moved: [{ waiting: 0, dead: 1 }] });
  expect(await here()).toMatchObject([{ n: 1, status: 'dead', attempts: 1, max_attempts: 1, last_error: 'gone' }]);
  await boss.complete('send-mail', running!.id);
  expect(await there()).toMatchObject([{ state: 'completed' }]);
});

test('a key holds as long as it held there; a second job of one stays, and is named', async () => {
  await boss.createQueue('short', { policy: 'short' });
  await boss.send('short', { n: 1 }, { singletonKey: 'one' });
  await boss.send('send-mail', { n: 2 }, { singletonKey: 'says nothing' });
  await boss.send('send-mail', { n: 3 }, { singletonKey: 'says nothing' });
  await boss.createQueue('sync-account');
  const first = await boss.send('sync-account', { n: 7 });
  const second = await boss.send('sync-account', { n: 7 });
  const report = await move(...FROM, '--names', 'short=send-mail');
  expect((await here()).map(({ n, key }) => [n, key])).toEqual([
    [1, 'one'],
    [2, null],
    [3, null],
    [7, '7'],
  ]);
  const [{ ids, why }] = report.stays as [(typeof report.stays)[0]];
  expect(why).toMatch(/^its key is that of the job \d+ here$/);
  expect([first, second]).toContain(ids[0]);
  expect((await there()).map(({ id }) => id)).toEqual(ids);
});

test('undo puts each row back as it was, and what was enqueued here since under the old name', async () => {
  const startAfter = new Date(Date.now() + HOUR_MS);
  await boss.updateQueue('send-mail', { retryLimit: 7, retryDelay: 11 });
  await boss.send(
    'send-mail',
    { n: 1, more: 'than the contract stores' },
    { startAfter, priority: 100, singletonKey: 'k' },
  );
  await boss.send('send-mail', { n: 2 }, { retryLimit: 0 });
  const [dying] = await boss.fetch('send-mail');
  await boss.fail('send-mail', dying!.id, new Error('gone'));
  const before = await there();
  await move(...FROM);
  expect(await there()).toEqual([]);
  const { enqueue } = await import('@duework/queue-core');
  await enqueue(database.db, sendMail, { n: 3 }, { priority: 2, maxAttempts: 4 });
  expect(await move(...FROM, '--undo')).toMatchObject({
    moved: [{ name: 'send-mail', waiting: 2, dead: 1 }, { waiting: 0 }, { waiting: 0 }, { waiting: 0 }],
    stays: [],
  });
  const after = await there();
  const isNew = ({ data }: Record<string, unknown>): boolean => (data as { n: number }).n === 3;
  expect(after.filter((row) => !isNew(row))).toEqual(before);
  expect(after.find(isNew)).toMatchObject({
    name: 'send-mail',
    state: 'created',
    retry_limit: 3,
    priority: 3,
    retry_delay: 11,
  });
  expect(await here()).toEqual([]);
  expect((await boss.fetch('send-mail', { batchSize: 5 })).map(({ data }) => data)).toEqual([{ n: 3 }]);
});

test('what is to be in a dedicated queue is carried on from the table', async () => {
  await boss.send('send-mail', { n: 1 });
  await move(...FROM, '--to', 'dedicated');
  const rows = await database.db.$queryRaw`SELECT job_type, payload -> 'to' AS place FROM duework.job_runs`;
  expect(rows).toEqual([{ job_type: 'duework_forward', place: 'dedicated' }]);
});

test('a type, a name or a schema that is not there is told, and nothing moves', async () => {
  expect(await move(...FROM, '--types', 'sync-account')).toMatchObject({ moved: [], isDone: true });
  await expect(move(...FROM, '--types', 'nothing')).rejects.toMatchObject({ code: 'unknown_type' });
  await expect(move(...FROM, '--names', 'send-mail')).rejects.toMatchObject({ code: 'option_wrong' });
  await expect(move(...FROM, '--schema', 'nowhere')).rejects.toMatchObject({ code: 'old_system_missing' });
});

test('jobs of a contract with an order and a limit stand in line in the order in which they were sent, and go back', async () => {
  await boss.createQueue('call-customer');
  for (const note of ['first', 'second', 'third']) await boss.send('call-customer', { n: 7, note });
  const before = await there();
  await move(...FROM);
  const lines = await database.db.$queryRaw<{ gates: string[]; note: string }[]>`
    SELECT gates, meta ->> 'movedRow' AS note FROM duework.job_runs ORDER BY id`;
  expect(lines.map(({ note }) => (JSON.parse(note) as { lost: { note: string } }).lost.note)).toEqual([
    'first',
    'second',
    'third',
  ]);
  expect(lines.map(({ gates }) => gates.join())).toEqual(Array(3).fill('order/call-customer.by/7,limit/call-customer'));
  expect(await move(...FROM, '--undo')).toMatchObject({ stays: [] });
  expect(await there()).toEqual(before);
  expect(await database.db.$queryRaw`SELECT holders FROM duework.flow_keys WHERE cardinality(holders) > 0`).toEqual([]);
});

test('a signal ends it between two transactions, and the next call goes on', async () => {
  await boss.insert(
    'send-mail',
    Array.from({ length: 1_200 }, (_, n) => ({ data: { n } })),
  );
  let interrupt = (): void => {};
  const onSignal = (listen: () => void): void => void (interrupt = listen);
  const progress = (text: string): void => {
    if (text.includes(': 500 moved')) interrupt();
  };
  const { code, out } = await run([...FROM, '--yes'], { onSignal, progress });
  expect({ code, moved: (await here()).length }).toEqual({ code: 130, moved: 500 });
  expect(out).toMatch(/^Interrupted between two transactions: run it again/m);
  expect(await move(...FROM)).toMatchObject({ moved: [{ waiting: 700 }], isDone: true });
  expect((await here()).map(({ n }) => n)).toEqual(Array.from({ length: 1_200 }, (_, n) => n));
});

test('a job that this process cannot decrypt stays here when the others go back, and is named', async () => {
  const ring = createKeyRing({ current: 'k1', keys: { k1: randomBytes(32).toString('base64') } });
  await boss.createQueue('pay');
  await boss.send('pay', { n: 1, iban: 'DE89370400440532013000' });
  await boss.send('send-mail', { n: 2 });
  setKeyRing(ring);
  try {
    await move(...FROM);
    setKeyRing(null);
    const report = await move(...FROM, '--undo');
    expect(report.moved).toContainEqual({ name: 'pay', waiting: 0, dead: 0 });
    expect(report.moved).toContainEqual({ name: 'send-mail', waiting: 1, dead: 0 });
    expect(report.stays).toMatchObject([{ name: 'pay', why: expect.stringContaining('k1'), jobs: 1 }]);
    expect(await here()).toMatchObject([{ n: 1 }]);
    setKeyRing(ring);
    await move(...FROM, '--undo');
    expect((await there()).map(({ data }) => data)).toContainEqual({ n: 1, iban: 'DE89370400440532013000' });
  } finally {
    setKeyRing(null);
  }
});
