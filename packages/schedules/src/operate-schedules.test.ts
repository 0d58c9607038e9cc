import { readNow } from '@duework/queue-core';
import { expect, test } from '@jest/globals';
import { bill, catalog, HOUR, note, useSchedules } from './testing/use-schedules.js';
import { createTicker } from './tick/create-ticker.js';
import {
  deleteSchedule,
  findLatestDueTimes,
  findDueTimes,
  pauseSchedule,
  resumeSchedule,
  triggerSchedule,
} from './operate-schedules.js';
import { getSchedule, saveSchedule } from './save-schedule.js';
import { due } from './due-times/due-template.js';
import { tickSchedules } from './tick/tick-schedules.js';

const { database, db, lag, minutesAgo, outcomes, runs, tick } = useSchedules();

test('a paused schedule fires nothing, and when it is resumed its policy decides about the due times it missed', async () => {
  await saveSchedule(db(), note, { key: 'p', every: '1m', payload: { n: 1 }, missed: 'latest', overlap: 'allow' });
  await pauseSchedule(db(), 'p');
  await lag('p', await minutesAgo(3));
  await tick();
  expect(await outcomes('p')).toEqual([]);
  expect((await resumeSchedule(db(), 'p')).isPaused).toBe(false);
  await tick();
  const found = await outcomes('p');
  expect(found.at(-1)).toBe('fired');
  expect(found.slice(0, 3)).toEqual(['skipped: missed', 'skipped: missed', 'skipped: missed']);
});

test('a pause with an end is over at the first tick after it, and a tick says when that is', async () => {
  await saveSchedule(db(), note, { key: 'u', every: '1m', payload: { n: 1 }, missed: 'latest', overlap: 'allow' });
  const until = new Date((await readNow(db())) + 30_000);
  const { pause } = await pauseSchedule(db(), 'u', { until, by: 'ada', reason: 'stocktaking' });
  expect(pause).toEqual({ since: expect.any(Date), until, by: 'ada', reason: 'stocktaking' });
  await lag('u', await minutesAgo(3));
  const { nextTickInMs } = await tick();
  expect(await outcomes('u')).toEqual([]);
  expect(nextTickInMs).toBeGreaterThan(20_000);
  expect(nextTickInMs).toBeLessThanOrEqual(30_000);
  await db().$executeRaw`UPDATE duework.schedules SET paused_until = now() WHERE key = 'u'`;
  await tick();
  expect(await getSchedule(db(), 'u')).toMatchObject({ isPaused: false, pause: null });
  expect((await outcomes('u')).at(-1)).toBe('fired');
});

test('a trigger by hand makes a run beside the due times and never consumes the next due time', async () => {
  await saveSchedule(db(), bill, { key: 'h', cron: '0 0 * * *', payload: { day: due.date() }, overlap: 'allow' });
  const before = await getSchedule(db(), 'h');
  const one = await triggerSchedule(db(), catalog, 'h');
  const two = await triggerSchedule(db(), catalog, 'h');
  expect(one.id).not.toBe(two.id);
  expect((await getSchedule(db(), 'h')).nextDueAt).toEqual(before.nextDueAt);
  expect(await outcomes('h')).toEqual(['fired: triggered', 'fired: triggered']);
  const today = new Date(Math.floor((await minutesAgo(0)).getTime() / (24 * HOUR)) * 24 * HOUR);
  await lag('h', today);
  await tick();
  expect(
    (await findDueTimes(db(), { scheduleKey: 'h' })).dueTimes.filter(
      ({ reason, outcome }) => reason === null && outcome === 'fired',
    ),
  ).toHaveLength(1);
  expect(await runs()).toHaveLength(3);
});

test('a schedule that comes seldom has as many of its last due times as one that comes each minute', async () => {
  for (const key of ['often', 'seldom', 'never'])
    await saveSchedule(db(), note, { key, every: '1m', payload: { n: 1 }, overlap: 'allow' });
  const { id } = await triggerSchedule(db(), catalog, 'seldom');
  await db().$executeRaw`
    INSERT INTO duework.schedule_ledger (schedule_id, due_at, schedule_key, job_type, outcome, reason, fires_at, decided_at, late_ms)
    SELECT s.id, l.at, s.key, s.job_type, 'skipped', 'missed', l.at, l.at, 0
    FROM duework.schedules AS s
    CROSS JOIN LATERAL generate_series(
      now() - interval '3 days', now() - interval '1 minute', CASE s.key WHEN 'often' THEN interval '1 minute' ELSE interval '1 day' END
    ) AS l (at)
    WHERE s.key <> 'never'`;
  const latest = await findLatestDueTimes(db(), ['often', 'seldom', 'never', 'unknown'], 3);
  expect([...latest].map(([key, dueTimes]) => [key, dueTimes.length])).toEqual([
    ['often', 3],
    ['seldom', 3],
    ['never', 0],
    ['unknown', 0],
  ]);
  expect(latest.get('seldom')![0]).toMatchObject({ reason: 'triggered', runId: id, runStatus: 'queued' });
  const times = latest.get('often')!.map(({ dueAt }) => dueAt.getTime());
  expect(times).toEqual([times[0], times[0]! - 60_000, times[0]! - 120_000]);
  await expect(findLatestDueTimes(db(), ['often', 'seldom'], 1_001)).rejects.toMatchObject({ code: 'invalid_option' });
});

const PAUSE = { by: 'key:ops', reason: 'maintenance, forgot it' };

test('a due time that was missed because of a pause says so, with who and why, and no other one does', async () => {
  await saveSchedule(db(), note, { key: 'p', every: '1m', payload: { n: 1 }, overlap: 'allow' });
  await lag('p', await minutesAgo(2));
  await tick();
  await pauseSchedule(db(), 'p', PAUSE);
  const { meanwhile } = await resumeSchedule(db(), 'p');
  expect(meanwhile.skipCount).toBe(0);
  await pauseSchedule(db(), 'p', PAUSE);
  // due times that the pause is before of
  await db().$executeRaw`
    INSERT INTO duework.schedule_ledger (schedule_id, due_at, schedule_key, job_type, outcome, reason, fires_at, decided_at, late_ms)
    SELECT s.id, now() + n * interval '1 hour', s.key, s.job_type, 'skipped', CASE n WHEN 3 THEN 'overlap' ELSE 'missed' END, now(), now(), 0
    FROM duework.schedules AS s CROSS JOIN generate_series(1, 3) AS n WHERE s.key = 'p'`;
  const { dueTimes } = await findDueTimes(db(), { scheduleKey: 'p', outcome: 'skipped', limit: 4 });
  const pause = { since: expect.any(Date), ...PAUSE };
  expect(dueTimes.map(({ reason, pause: of }) => [reason, of])).toEqual([
    ['overlap', null],
    ['missed', pause],
    ['missed', pause],
    ['missed', null],
  ]);
});

test('a pause that had ended by itself before a due time is not what the due time was missed for', async () => {
  await saveSchedule(db(), note, { key: 'u', every: '1h', payload: { n: 1 } });
  await pauseSchedule(db(), 'u', { ...PAUSE, until: new Date(Date.now() + 5_400_000) });
  await db().$executeRaw`
    INSERT INTO duework.schedule_ledger (schedule_id, due_at, schedule_key, job_type, outcome, reason, fires_at, decided_at, late_ms)
    SELECT s.id, now() + n * interval '1 hour', s.key, s.job_type, 'skipped', 'missed', now(), now(), 0
    FROM duework.schedules AS s CROSS JOIN generate_series(1, 2) AS n WHERE s.key = 'u'`;
  const { dueTimes } = await findDueTimes(db(), { scheduleKey: 'u' });
  expect(dueTimes.map(({ pause }) => pause?.by ?? null)).toEqual([null, 'key:ops']);
});

test('whoever resumes a schedule is told what is skipped, what runs, and what comes next', async () => {
  await saveSchedule(db(), note, {
    key: 'r',
    every: '1m',
    payload: { n: 1 },
    missed: { policy: 'all', limit: 2 },
    overlap: 'allow',
  });
  await pauseSchedule(db(), 'r', PAUSE);
  await lag('r', await minutesAgo(20));
  const { meanwhile, isPaused } = await resumeSchedule(db(), 'r');
  expect(isPaused).toBe(false);
  expect(meanwhile.skips).toHaveLength(10);
  expect(meanwhile.skips[0]!.getTime() - meanwhile.skips[1]!.getTime()).toBe(60_000);
  await tick();
  const decided = await outcomes('r');
  expect(decided.filter((one) => one.startsWith('skipped'))).toHaveLength(meanwhile.skipCount);
  expect(decided).toHaveLength(meanwhile.skipCount + meanwhile.fireCount);
  expect((await getSchedule(db(), 'r')).nextDueAt).toEqual(meanwhile.nextDueAt);
});

test('a due time that was skipped is run as that due time, with its payload and its key, and once', async () => {
  await saveSchedule(db(), note, { key: 's', every: '1m', payload: { n: 1 } });
  await lag('s', await minutesAgo(4));
  await tick();
  const ledger = async () => (await findDueTimes(db(), { scheduleKey: 's' })).dueTimes;
  const skipped = (await ledger()).filter(({ outcome }) => outcome === 'skipped');
  expect(skipped.length).toBeGreaterThan(1);
  const { dueAt } = skipped[0]!;
  const before = await getSchedule(db(), 's');
  const { id } = await triggerSchedule(db(), catalog, 's', { dueTime: dueAt, ...PAUSE });
  const [line] = (await ledger()).filter((one) => one.dueAt.getTime() === dueAt.getTime());
  expect(line).toMatchObject({ outcome: 'fired', reason: 'triggered', runId: id, runStatus: 'queued' });
  expect(await ledger()).toHaveLength(skipped.length + 1);
  expect((await getSchedule(db(), 's')).nextDueAt).toEqual(before.nextDueAt);
  // it has run, or is no due time at all: no job is left behind
  const count = (await runs()).length;
  for (const dueTime of [dueAt, new Date(dueAt.getTime() + 1)])
    await expect(triggerSchedule(db(), catalog, 's', { dueTime })).rejects.toMatchObject({ code: 'invalid_option' });
  expect(await runs()).toHaveLength(count);
});

test('a deleted schedule leaves its ledger, and its waiting due times are skipped', async () => {
  await saveSchedule(db(), note, {
    key: 'd',
    every: '1m',
    payload: { n: 1 },
    missed: { policy: 'all', limit: 3 },
    overlap: 'queue',
  });
  await lag('d', await minutesAgo(2));
  await tick();
  await deleteSchedule(db(), 'd');
  const found = await outcomes('d');
  expect(found[0]).toBe('fired');
  expect(found.slice(1)).toEqual(found.slice(1).map(() => 'skipped: deleted'));
  await expect(getSchedule(db(), 'd')).rejects.toMatchObject({ code: 'schedule_not_found' });
  await expect(deleteSchedule(db(), 'd')).rejects.toMatchObject({ code: 'schedule_not_found' });
  await expect(triggerSchedule(db(), catalog, 'd')).rejects.toMatchObject({ code: 'schedule_not_found' });
});

test('edits, pauses, triggers and deletes while tickers run fire no due time twice and leave nobody waiting', async () => {
  const clients = [database.connect({ poolSize: 3 }), database.connect({ poolSize: 3 })];
  const keys = Array.from({ length: 10 }, (_, index) => `busy:${index}`);
  const save = (key: string, n: number) =>
    saveSchedule(clients[0]!, note, {
      key,
      every: '1m',
      payload: { n },
      missed: { policy: 'all', limit: 100 },
      overlap: 'allow',
    });
  for (const key of keys) await save(key, 0);
  for (const key of keys) await lag(key, await minutesAgo(50));
  const over = new AbortController();
  const ticking = clients.map(async (client) => {
    while (!over.signal.aborted) await tickSchedules({ db: client, catalog, batchSize: 2 });
  });
  for (const [index, key] of keys.entries()) {
    await save(key, index);
    await pauseSchedule(clients[1]!, key);
    await triggerSchedule(clients[0]!, catalog, key);
    await resumeSchedule(clients[1]!, key);
    if (index % 3 === 0) await deleteSchedule(clients[0]!, key);
  }
  over.abort();
  await Promise.all(ticking);
  await tick();
  const [doubled] = await db().$queryRaw<{ runs: number; distinct_runs: number; fired: number }[]>`
    SELECT count(*)::int AS fired, count(DISTINCT run_id)::int AS distinct_runs, (SELECT count(*)::int FROM duework.job_runs) AS runs
    FROM duework.schedule_ledger WHERE outcome = 'fired'`;
  expect(doubled!.distinct_runs).toBe(doubled!.fired);
  expect(doubled!.runs).toBe(doubled!.fired);
});

test('the ledger is kept for as many days as asked; a due time that waits, or was only just decided, is not dropped', async () => {
  const ticker = createTicker({ db: db(), catalog });
  const { id } = await db().schedule.create({
    data: {
      key: 'old',
      jobVersion: 1,
      jobType: 'note',
      payload: {},
      cron: '@daily',
      timeZone: 'UTC',
      missed: 'latest',
      missedToleranceMs: 0,
      missedLimit: 1,
      missedMaxAgeMs: 0,
      overlap: 'skip',
      overlapLimit: 1,
      splayMs: 0,
      splayOffsetMs: 0,
      source: 'api',
    },
  });
  const line = (dueTimeDays: number, decidedDays: number, outcome: string) => db().$executeRaw`
    INSERT INTO duework.schedule_ledger (schedule_id, due_at, schedule_key, job_type, outcome, reason, fires_at, decided_at, late_ms)
    SELECT ${id}, now() - ${dueTimeDays} * interval '1 day', 'old', 'note', ${outcome}, 'missed', now(), now() - ${decidedDays} * interval '1 day', 0`;
  await line(40, 40, 'skipped');
  await line(41, 41, 'waiting');
  await line(42, 1, 'skipped');
  await line(2, 2, 'skipped');
  expect(await ticker.prune(30)).toBe(1);
  expect(await outcomes('old')).toEqual(['skipped: missed', 'waiting: missed', 'skipped: missed']);
});
