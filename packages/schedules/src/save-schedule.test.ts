import { expect, test } from '@jest/globals';
import { untilItWaits } from '@duework/testing/fixtures';
import { bill, catalog, note, tidy, useSchedules } from './testing/use-schedules.js';
import { findSchedules, findDueTimes, pauseSchedule } from './operate-schedules.js';
import { registerSchedules } from './register-schedules.js';
import { createSchedule, getSchedule, saveSchedule, saveSchedules } from './save-schedule.js';
import { scheduleRequest } from './schedule-request.js';
import { due } from './due-times/due-template.js';

const { database, db, lag, minutesAgo, outcomes, tick } = useSchedules();

test('a changed rule counts from now, and any other edit leaves the next due time as it was', async () => {
  await saveSchedule(db(), note, { key: 's', cron: '0 0 1 1 *', payload: { n: 1 } });
  const before = (await getSchedule(db(), 's')).nextDueAt!;
  await saveSchedule(db(), note, { key: 's', cron: '0 0 1 1 *', payload: { n: 2 }, overlap: 'queue', splay: '1h' });
  expect(await getSchedule(db(), 's')).toMatchObject({
    payload: { n: 2 },
    nextDueAt: before,
    overlap: { policy: 'queue' },
  });
  await tick();
  const splayed = await db().schedule.findUniqueOrThrow({ where: { key: 's' } });
  expect(splayed.tickAt!.getTime()).toBe(before.getTime() + Number(splayed.splayOffsetMs));
  await lag('s', await minutesAgo(10));
  const edited = await saveSchedule(db(), note, { key: 's', cron: '30 3 * * *', payload: { n: 2 } });
  expect(edited.nextDueAt!.getTime()).toBeGreaterThan((await minutesAgo(0)).getTime());
  await tick();
  expect(await outcomes('s')).toEqual([]);
});

test('of two that make a schedule with one key at once, one is told that it is taken, and nothing of it is written', async () => {
  const make = (cron: string) => createSchedule(db(), note, { key: 'once', cron, payload: { n: 1 } });
  const made = await Promise.allSettled([make('0 1 * * *'), make('0 2 * * *')]);
  const first = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  expect(refused).toMatchObject([{ code: 'schedule_key_taken', facts: { key: 'once' } }]);
  await expect(make('0 3 * * *')).rejects.toMatchObject({ code: 'schedule_key_taken' });
  expect([await getSchedule(db(), 'once')]).toEqual(first);
});

test('a thousand entities can have a schedule each, at nine on Monday in their own zones', async () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Pacific/Auckland'];
  await saveSchedules(
    db(),
    Array.from({ length: 1_000 }, (_, index) =>
      scheduleRequest(tidy, {
        key: `report:user:${index}`,
        cron: '0 9 * * 1',
        timeZone: zones[index % 4]!,
        payload: { day: due.date({ addDays: -7 }) },
      }),
    ),
  );
  await db()
    .$executeRaw`UPDATE duework.schedules SET next_due_at = next_due_at - interval '7 days', tick_at = tick_at - interval '7 days', created_at = now() - interval '9 days'`;
  const { fired } = await tick();
  const { dueTimes } = await findDueTimes(db(), { outcome: 'fired', limit: 1_000 });
  expect(dueTimes).toHaveLength(fired);
  expect(fired).toBeGreaterThan(0);
  for (const { dueAt, scheduleKey } of dueTimes) {
    const zone = zones[Number(scheduleKey.split(':')[2]) % 4]!;
    expect(
      dueAt.toLocaleString('en-GB', { timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit' }),
    ).toBe('Mon 09:00');
  }
});

test('a schedule that is saved without a payload has the default payload of its contract', async () => {
  const contract = { ...note, defaultPayload: { n: 7 } };
  expect(await saveSchedule(db(), contract, { key: 'plain', every: '1h' } as never)).toMatchObject({
    payload: { n: 7 },
  });
});

test('a schedule that cannot be saved is refused with a code, and nothing is written', async () => {
  const code = (promise: Promise<unknown>) =>
    promise.then(
      () => 'saved',
      (error: { code?: string }) => error.code,
    );
  const good = { key: 'x', cron: '@daily', payload: { n: 1 } };
  expect(await code(saveSchedule(db(), note, { ...good, key: '' }))).toBe('invalid_schedule_key');
  expect(await code(saveSchedule(db(), note, { ...good, key: 'a b' }))).toBe('invalid_schedule_key');
  expect(await code(saveSchedule(db(), note, { ...good, cron: '0 0 31 2 *' }))).toBe('rule_never_fires');
  expect(await code(saveSchedule(db(), note, { ...good, payload: { n: 'one' } as never }))).toBe('invalid_payload');
  expect(await code(saveSchedule(db(), note, { ...good, payload: { n: due.date() } as never }))).toBe(
    'invalid_payload',
  );
  expect(await code(saveSchedule(db(), tidy, { ...good, payload: { day: { $due: 'week' } } as never }))).toBe(
    'invalid_template',
  );
  expect(await code(saveSchedule(db(), bill, { ...good, payload: { day: '2026-01-01' } }))).toBe('invalid_template');
  expect(await code(saveSchedule(db(), note, { ...good, splay: '2d' }))).toBe('invalid_option');
  expect(await code(saveSchedule(db(), note, { ...good, missed: 'some' as never }))).toBe('invalid_option');
  expect(await code(saveSchedule(db(), note, { ...good, overlap: { policy: 'queue', limit: 0 } }))).toBe(
    'invalid_option',
  );
  expect(await code(saveSchedules(db(), [scheduleRequest(note, good), scheduleRequest(note, good)]))).toBe(
    'invalid_option',
  );
  expect((await findSchedules(db())).schedules).toEqual([]);
});

test('a schedule rolls back with the transaction that saved it', async () => {
  await expect(
    db().$transaction(async (tx) => {
      await saveSchedule(tx, note, { key: 'tx', cron: '@daily', payload: { n: 1 } });
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect((await findSchedules(db())).schedules).toEqual([]);
});

test('schedules in the code are upserted at a deploy, marked as such, and removed when they vanish', async () => {
  const daily = scheduleRequest(note, { key: 'code:daily', cron: '@daily', payload: { n: 1 } });
  const weekly = scheduleRequest(note, { key: 'code:weekly', cron: '@weekly', payload: { n: 1 } });
  await saveSchedule(db(), note, { key: 'mine', cron: '@daily', payload: { n: 1 } });
  expect(await registerSchedules(db(), catalog, [daily, weekly], { program: 'shop', version: 1 })).toEqual({
    saved: ['code:daily', 'code:weekly'],
    removed: [],
  });
  await pauseSchedule(db(), 'code:daily');
  expect(await registerSchedules(db(), catalog, [daily], { program: 'shop', version: 2 })).toEqual({
    saved: ['code:daily'],
    removed: ['code:weekly'],
  });
  expect(await getSchedule(db(), 'code:daily')).toMatchObject({ source: 'code', sourceVersion: 2, isPaused: true });
  // an old program that starts again undoes nothing
  expect(await registerSchedules(db(), catalog, [weekly], { program: 'shop', version: 1 })).toEqual({
    saved: [],
    removed: [],
  });
  expect((await findSchedules(db())).schedules.map(({ key, source }) => [key, source])).toEqual([
    ['code:daily', 'code'],
    ['mine', 'api'],
  ]);
  const past = scheduleRequest(note, { key: 'code:once', at: new Date('2020-01-01T00:00:00Z'), payload: { n: 1 } });
  await registerSchedules(db(), catalog, [past], { program: 'shop', version: 3 });
  expect(await getSchedule(db(), 'code:once')).toMatchObject({ nextDueAt: null });
  await tick();
  expect(await outcomes('code:once')).toEqual([]);
  // an empty list is the newest all the same
  expect(await registerSchedules(db(), catalog, [], { program: 'shop', version: 4 })).toEqual({
    saved: [],
    removed: ['code:once'],
  });
  expect(await registerSchedules(db(), catalog, [past], { program: 'shop', version: 3 })).toEqual({
    saved: [],
    removed: [],
  });
});

test('two deploys at once: the older list changes nothing that the newer one is just writing or removing', async () => {
  const [daily, weekly, yearly] = ['daily', 'weekly', 'yearly'].map((key) =>
    scheduleRequest(note, { key: `code:${key}`, cron: '@daily', payload: { n: 1 } }),
  );
  await registerSchedules(db(), catalog, [daily!, weekly!], { program: 'shop', version: 1 });
  const older = await db().$transaction(async (tx) => {
    await registerSchedules(tx, catalog, [daily!, yearly!], { program: 'shop', version: 2 });
    return untilItWaits(db(), database.connect({ poolSize: 1 }), (client) =>
      registerSchedules(client, catalog, [daily!, weekly!], { program: 'shop', version: 1 }),
    );
  });
  expect(await older.answer).toEqual({ saved: [], removed: [] });
  expect((await findSchedules(db())).schedules.map(({ key, sourceVersion }) => [key, sourceVersion])).toEqual([
    ['code:daily', 2],
    ['code:yearly', 2],
  ]);
});

test('a splay spreads schedules of one moment, each always at the same place', async () => {
  await saveSchedules(
    db(),
    Array.from({ length: 400 }, (_, index) =>
      scheduleRequest(note, { key: `spread:${index}`, cron: '@daily', payload: { n: 1 }, splay: '10m' }),
    ),
  );
  const rows = await db().schedule.findMany();
  const offsets = rows.map(({ splayOffsetMs }) => Number(splayOffsetMs));
  const perMinute = Array.from(
    { length: 10 },
    (_, minute) => offsets.filter((ms) => Math.floor(ms / 60_000) === minute).length,
  );
  expect(Math.min(...perMinute)).toBeGreaterThan(20);
  expect(new Set(rows.map(({ nextDueAt }) => nextDueAt!.getTime())).size).toBe(1);
  for (const row of rows) expect(row.tickAt!.getTime()).toBe(row.nextDueAt!.getTime() + Number(row.splayOffsetMs));
});

test('a program removes its own schedules only, and takes none of another, also when both start at once', async () => {
  const list = (...keys: readonly string[]) =>
    keys.map((key) => scheduleRequest(note, { key, cron: '@daily', payload: { n: 1 } }));
  await registerSchedules(db(), catalog, list('a', 'b'), { program: 'one', version: 7 });
  // the version of another program is no matter
  await registerSchedules(db(), catalog, list('c'), { program: 'two', version: 1 });
  expect(await registerSchedules(db(), catalog, list('a'), { program: 'one', version: 8 })).toMatchObject({
    removed: ['b'],
  });
  const { answer } = await db().$transaction(async (tx) => {
    await registerSchedules(tx, catalog, list('a', 'd'), { program: 'one', version: 9 });
    return untilItWaits(db(), database.connect({ poolSize: 1 }), (client) =>
      registerSchedules(client, catalog, list('d', 'e'), { program: 'two', version: 2 }).catch((error) => error),
    );
  });
  expect(await answer).toMatchObject({
    code: 'schedule_of_another_program',
    facts: { key: 'd', program: 'two', owner: 'one' },
  });
  // an operator may edit what code declares, and it stays the program's
  await saveSchedule(db(), note, { key: 'c', cron: '@weekly', payload: { n: 1 } });
  expect((await findSchedules(db())).schedules.map(({ key, sourceProgram }) => [key, sourceProgram])).toEqual([
    ['a', 'one'],
    ['c', 'two'],
    ['d', 'one'],
  ]);
});
