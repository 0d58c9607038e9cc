import { defineCatalog, defineJob } from '@duework/contracts';
import { emptyTables } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import { z } from 'zod';
import { useMoves } from './testing/use-moves.js';

const sendMail = defineJob({ type: 'send-mail', payload: z.object({ n: z.int() }) });
const { database, plan, move, atEnd } = useMoves(defineCatalog([sendMail]));
const FROM = ['--from', 'pg-boss'];
const EVERY_MINUTE = '* * * * *';

let pool: Pool | undefined;
/** pg-boss as it is, which calls `after` when it has sent a statement. */
function open(schedule: boolean, after: (text: string) => Promise<void> = async () => {}): PgBoss {
  if (pool === undefined) {
    const opened = (pool = new Pool({ connectionString: database.url }));
    atEnd(() => opened.end());
  }
  const db = {
    async executeSql(text: string, values?: unknown[]) {
      const result = await pool!.query(text, values);
      await after(text);
      return result;
    },
  };
  return new PgBoss({ db, supervise: false, schedule, cronMonitorIntervalSeconds: 1, cronWorkerIntervalSeconds: 1 });
}

async function withBoss<T>(boss: PgBoss, act: (boss: PgBoss) => Promise<T>): Promise<T> {
  await boss.start();
  try {
    return await act(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}

beforeEach(async () => {
  await withBoss(open(true), async (boss) => {
    for (const name of ['send-mail', 'other']) await boss.deleteQueue(name);
    await boss.createQueue('send-mail');
  });
  await database.db.$executeRaw`DELETE FROM pgboss.job`;
  await emptyTables(database.db, 'job_runs, job_history, job_keys, schedules');
});

function promise(): { readonly kept: Promise<void>; readonly keep: () => void } {
  let keep!: () => void;
  const kept = new Promise<void>((resolve) => (keep = resolve));
  return { kept, keep };
}

/** The minutes of all jobs, there and here, that a schedule has made. */
const minutes = async (): Promise<string[]> => {
  const rows = await database.db.$queryRaw<{ due: Date }[]>`
    SELECT date_trunc('minute', run_at) AS due FROM duework.job_runs
    UNION ALL
    SELECT date_trunc('minute', created_on) FROM pgboss.job WHERE name = 'send-mail' OR state < 'active'
    ORDER BY 1`;
  return rows.map(({ due }) => due.toISOString());
};
const schedules = async () =>
  database.db.$queryRaw<{ key: string }[]>`
    SELECT key, cron, time_zone, overlap, payload FROM duework.schedules ORDER BY key`;

test('each becomes one here, with its zone and payload; what cannot stays, and is told what to do', async () => {
  await withBoss(open(false), async (boss) => {
    await boss.createQueue('other');
    await boss.schedule('send-mail', '0 3 * * *', { n: 1 }, { tz: 'Europe/Vienna' });
    await boss.schedule('send-mail', '*/10 * * * * *', { n: 2 }, { key: 'seconds' });
    await boss.schedule('send-mail', '0 4 * * *', { n: 'three' }, { key: 'refused' });
    await boss.schedule('other', '0 5 * * *', {});
  });
  const told = [
    { name: 'other', rule: '0 5 * * * (UTC)', key: null, stays: 'no contract' },
    { name: 'send-mail', rule: '0 3 * * * (Europe/Vienna)', key: 'send-mail', stays: null },
    { name: 'send-mail refused', key: null, stays: expect.stringContaining('/n') },
    { name: 'send-mail seconds', key: null, stays: expect.stringMatching(/cron/i) },
  ];
  expect((await plan(...FROM)).schedules).toMatchObject(told);
  expect(await schedules()).toEqual([]);
  expect((await move(...FROM)).schedules).toMatchObject(told);
  expect(await schedules()).toMatchObject([
    { key: 'send-mail', cron: '0 3 * * *', time_zone: 'Europe/Vienna', overlap: 'allow', payload: { n: 1 } },
  ]);
  await withBoss(open(false), async (boss) => {
    expect((await boss.getSchedules()).map(({ name, key }) => [name, key])).toEqual([
      ['other', ''],
      ['send-mail', 'refused'],
      ['send-mail', 'seconds'],
    ]);
  });
});

test('a due time that pg-boss has not fired yet is fired here, once', async () => {
  await withBoss(open(false), (boss) => boss.schedule('send-mail', EVERY_MINUTE, { n: 1 }));
  await move(...FROM);
  await move(...FROM);
  expect(await minutes()).toHaveLength(1);
});

test('a due time that pg-boss is about to fire, having read its schedules before, is fired once', async () => {
  await withBoss(open(false), (boss) => boss.schedule('send-mail', EVERY_MINUTE, { n: 1 }));
  let isMoved = false;
  const sent = promise();
  const late = open(true, async (text) => {
    if (isMoved && /INSERT INTO/i.test(text) && text.includes('singleton')) sent.keep();
    if (isMoved || !/FROM pgboss\.schedule/.test(text)) return;
    isMoved = true;
    await move(...FROM);
  });
  await withBoss(late, () => sent.kept);
  expect(new Set(await minutes()).size).toBe((await minutes()).length);
  expect(await minutes()).toHaveLength(1);
});

test('a due time that pg-boss has fired is not fired here, and its job moves, however far it has come', async () => {
  await withBoss(open(false), (boss) => boss.schedule('send-mail', EVERY_MINUTE, { n: 1 }));
  let isFired = false;
  const moved = promise();
  const first = open(true, async (text) => {
    if (isFired || !/INSERT INTO/i.test(text) || !text.includes('singleton')) return;
    isFired = true;
    await move(...FROM);
    moved.keep();
  });
  await withBoss(first, () => moved.kept);
  expect(await minutes()).toHaveLength(1);
  expect(await schedules()).toHaveLength(1);
});

test('undo gives pg-boss its schedule back, and a due time that was fired here is not fired there', async () => {
  await withBoss(open(false), async (boss) => {
    await boss.schedule('send-mail', EVERY_MINUTE, { n: 1 }, { key: 'often' });
    await boss.schedule('send-mail', '0 3 * * *', { n: 2 }, { tz: 'Europe/Vienna' });
  });
  await move(...FROM);
  expect((await move(...FROM, '--undo')).schedules).toMatchObject([
    { name: 'send-mail', key: 'send-mail', stays: null },
    { name: 'send-mail often', key: 'send-mail:often', stays: null },
  ]);
  expect(await schedules()).toEqual([]);
  const looked = promise();
  const boss = open(true, async (text) => {
    if (/INSERT INTO/i.test(text) && text.includes('singleton')) looked.keep();
  });
  await withBoss(boss, () => looked.kept);
  const all = await minutes();
  expect(new Set(all).size).toBe(all.length);
  await withBoss(open(false), async (again) => {
    expect(await again.getSchedules()).toMatchObject([
      { name: 'send-mail', key: '', cron: '0 3 * * *', timezone: 'Europe/Vienna', data: { n: 2 } },
      { name: 'send-mail', key: 'often', cron: EVERY_MINUTE, data: { n: 1 } },
    ]);
  });
});
