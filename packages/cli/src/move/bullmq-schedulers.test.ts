import { emptyTables } from '@duework/testing/fixtures';
import { once } from 'node:events';
import { defineCatalog, defineJob } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { Worker } from 'bullmq';
import { z } from 'zod';
import { useBullmqMoves } from './testing/use-bullmq-moves.js';

const sendMail = defineJob({ type: 'send-mail', queue: 'mail', payload: z.object({ n: z.int() }) });
const { database, move, withQueue, redis, dyingAfter } = useBullmqMoves(defineCatalog([sendMail]));
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const template = (n: number) => ({ name: 'send-mail', data: { n } });

const schedules = async () =>
  database.db.$queryRaw<{ key: string; next_due_at: Date }[]>`
    SELECT key, cron, every_ms::integer, time_zone, payload, overlap, ends_at, next_due_at, is_paused
    FROM duework.schedules ORDER BY key`;
const runs = async () =>
  (await database.db.$queryRaw<{ run_at: Date }[]>`SELECT run_at FROM duework.job_runs ORDER BY 1`).map(
    ({ run_at: runAt }) => runAt.getTime(),
  );
const json = async (...more: string[]) =>
  JSON.parse((await move(...more, '--json')).out) as { schedules: { name: string; stays: string | null }[] };
/** The due times of the jobs that a scheduler has made and that wait. */
async function dueTimesThere(): Promise<number[]> {
  const dueTimes: number[] = [];
  await withQueue('mail', async (queue) => {
    for (const { timestamp, delay } of await queue.getJobs(['wait', 'delayed'])) dueTimes.push(timestamp + delay);
  });
  return dueTimes;
}
/** That they follow each other at that distance, each once. */
const expectEvery = (dueTimes: readonly number[], everyMs: number): void =>
  expect(dueTimes).toEqual(dueTimes.map((_, at) => dueTimes[0]! + at * everyMs));

test('each becomes a schedule, with its rule, zone, end and data; what cannot, and what does not come along, is named', async () => {
  const endDate = Date.now() + 90 * 24 * HOUR_MS;
  await withQueue('mail', async (queue) => {
    await queue.upsertJobScheduler('nightly', { pattern: '0 3 * * *', tz: 'Europe/Vienna', endDate }, template(1));
    await queue.upsertJobScheduler('often', { every: HOUR_MS }, { ...template(2), opts: { attempts: 3, priority: 2 } });
    await queue.upsertJobScheduler('send-mail', { pattern: '0 30 4 * * 1' }, template(3));
    await queue.upsertJobScheduler('seconds', { pattern: '*/10 * * * * *' }, template(4));
    await queue.upsertJobScheduler('few', { every: HOUR_MS, limit: 5 }, template(5));
    await queue.upsertJobScheduler('other', { every: HOUR_MS }, { name: 'other' });
    await queue.upsertJobScheduler('refused', { every: HOUR_MS }, { name: 'send-mail', data: { n: 'six' } });
  });
  const told = [
    { name: 'mail few', key: null, stays: expect.stringContaining('limit') },
    { name: 'mail nightly', rule: '0 3 * * * (Europe/Vienna)', key: 'send-mail:nightly', without: null },
    { name: 'mail often', rule: 'every 3600000 ms', key: 'send-mail:often', without: 'attempts, priority' },
    { name: 'mail other', key: null, stays: 'no contract' },
    { name: 'mail refused', key: null, stays: expect.stringContaining('/n') },
    { name: 'mail seconds', key: 'send-mail:seconds', stays: null },
    { name: 'mail send-mail', key: 'send-mail', stays: null },
  ];
  const byName = ({ schedules: all }: Awaited<ReturnType<typeof json>>) =>
    all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(byName(await json('--dry-run'))).toMatchObject(told);
  expect(await schedules()).toEqual([]);
  expect(byName(await json('--yes'))).toMatchObject(told);
  const same = { overlap: 'allow', is_paused: false };
  expect(await schedules()).toMatchObject([
    { ...same, key: 'send-mail', cron: '30 4 * * 1', time_zone: 'UTC', payload: { n: 3 } },
    {
      ...same,
      key: 'send-mail:nightly',
      cron: '0 3 * * *',
      time_zone: 'Europe/Vienna',
      ends_at: new Date(endDate + 1),
    },
    { ...same, key: 'send-mail:often', every_ms: HOUR_MS, payload: { n: 2 } },
    { ...same, key: 'send-mail:seconds', cron: '*/10 * * * * *', payload: { n: 4 } },
  ]);
  await withQueue('mail', async (queue) => {
    const left = (await queue.getJobSchedulers()).map(({ key }) => key);
    expect(left.sort()).toEqual(['few', 'other', 'refused']);
  });
});

test('the due time of the job that a scheduler has made is that job, and the schedule begins with the next one', async () => {
  await withQueue('mail', async (queue) => {
    const startDate = Date.now() + 20 * MINUTE_MS;
    await queue.upsertJobScheduler('often', { every: 15 * MINUTE_MS, startDate }, template(1));
  });
  const [dueTime] = await dueTimesThere();
  await move('--yes');
  const [{ next_due_at: next } = { next_due_at: null }] = await schedules();
  expectEvery([...(await runs()), next!.getTime()], 15 * MINUTE_MS);
  expect(await runs()).toEqual([dueTime]);
});

test('a due time that a worker of BullMQ runs at this moment is not fired here, and that worker makes no next one', async () => {
  await withQueue('mail', async (queue) => queue.upsertJobScheduler('often', { every: HOUR_MS }, template(1)));
  const connection = redis().connect();
  let end = (): void => {};
  const worker = new Worker('mail', () => new Promise<void>((resolve) => (end = resolve)), {
    connection: connection as never,
  });
  const [{ timestamp }] = (await once(worker, 'active')) as [{ timestamp: number }];
  await move('--yes');
  end();
  await once(worker, 'completed');
  await worker.close();
  connection.disconnect();
  const dueTimes = [...(await runs()), (await schedules())[0]!.next_due_at.getTime()];
  expect(dueTimes[0]).toBeGreaterThanOrEqual(timestamp + HOUR_MS);
  expectEvery(dueTimes, HOUR_MS);
  expect(await dueTimesThere()).toEqual([]);
});

test('one that was on its way when the mover was killed arrives with the next call, with every due time since, once', async () => {
  await withQueue('mail', async (queue) => queue.upsertJobScheduler('often', { every: 15 * MINUTE_MS }, template(1)));
  await expect(move.on(dyingAfter(undefined), '--yes')).rejects.toThrow('killed before the commit');
  await withQueue('mail', async (queue) => expect(await queue.getJobSchedulers()).toEqual([]));
  expect(await schedules()).toEqual([]);
  // it is as if that had been two hours ago
  const client = redis().connect();
  const [member, was] = Object.entries(await client.hgetall('bull::moving-schedulers'))[0]!;
  const { dueTime, takenAtMs, ...same } = JSON.parse(was) as { dueTime: string; takenAtMs: number };
  const then = { ...same, dueTime: `${Number(dueTime) - 2 * HOUR_MS}`, takenAtMs: takenAtMs - 2 * HOUR_MS };
  await client.hset('bull::moving-schedulers', member, JSON.stringify(then));
  client.disconnect();
  await withQueue('mail', async (queue) => queue.obliterate());
  await move('--yes');
  await move('--yes');
  const dueTimes = [...(await runs()), (await schedules())[0]!.next_due_at.getTime()];
  expect(dueTimes).toHaveLength(9);
  expect(dueTimes[0]).toBe(Number(dueTime) - 2 * HOUR_MS + 15 * MINUTE_MS);
  expectEvery(dueTimes, 15 * MINUTE_MS);
});

test('undo gives BullMQ its schedulers back with all that they had, and each due time is fired once, here or there', async () => {
  await withQueue('mail', async (queue) => {
    await queue.upsertJobScheduler('often', { every: HOUR_MS }, { ...template(1), opts: { attempts: 3 } });
    await queue.upsertJobScheduler('nightly', { pattern: '0 3 * * *', tz: 'Europe/Vienna' }, template(2));
  });
  await move('--yes');
  await emptyTables(database.db, 'job_runs');
  // two due times have come that no worker here has seen
  await database.db.$executeRaw`
    UPDATE duework.schedules SET next_due_at = next_due_at - interval '2 hours', starts_at = starts_at - interval '2 hours'
    WHERE key = 'send-mail:often'`;
  const [, { next_due_at: due } = { next_due_at: null }] = await schedules();
  await expect(move.on(dyingAfter(undefined), '--undo', '--yes')).rejects.toThrow('killed before the commit');
  expect(await schedules()).toHaveLength(2);
  expect((await json('--undo', '--yes')).schedules).toMatchObject([
    { name: 'mail nightly', key: 'send-mail:nightly', stays: null },
    { name: 'mail often', key: 'send-mail:often', stays: null },
  ]);
  expect(await schedules()).toEqual([]);
  await withQueue('mail', async (queue) => {
    const [nightly, often] = (await queue.getJobSchedulers()).toSorted((a, b) => (a.key < b.key ? -1 : 1));
    expect(nightly).toMatchObject({ key: 'nightly', pattern: '0 3 * * *', tz: 'Europe/Vienna' });
    expect(nightly!.template!.data).toEqual({ n: 2 });
    expect(often).toMatchObject({ key: 'often', every: HOUR_MS });
    expect(often!.template).toMatchObject({ data: { n: 1 }, opts: { attempts: 3 } });
    const dueTimes: number[] = [];
    for (const { data, timestamp, delay } of await queue.getJobs(['wait', 'delayed']))
      if ((data as { n: number }).n === 1) dueTimes.push(timestamp + delay);
    dueTimes.sort((a, b) => a - b);
    expect(dueTimes).toHaveLength(3);
    expect(Math.abs(dueTimes[0]! - due!.getTime())).toBeLessThan(2);
    expectEvery(
      dueTimes.map((dueTime) => Math.round(dueTime / MINUTE_MS)),
      60,
    );
  });
  expect((await json('--undo', '--yes')).schedules).toEqual([]);
});
