import { defineCatalog, defineJob } from '@duework/contracts';
import type { PrismaClient } from '@duework/database';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createPostgresStore, type WorkerEvent } from '@duework/queue-core';
import { lockDueSchedules } from '../sql/lock-due-schedules.js';
import { writeDueTimes } from '../sql/write-due-times.js';
import { untilItWaits } from '@duework/testing/fixtures';
import { catalog, HOUR, note, tidy, useSchedules } from '../testing/use-schedules.js';
import { findSchedules, findDueTimes, pauseSchedule } from '../operate-schedules.js';
import { getSchedule, saveSchedule, saveSchedules } from '../save-schedule.js';
import { scheduleRequest } from '../schedule-request.js';
import { due } from '../due-times/due-template.js';
import { tickSchedules } from './tick-schedules.js';

const { database, db, lag, minutesAgo, outcomes, runs, tick } = useSchedules();

describe('one due time makes one run', () => {
  test('a due time becomes a run with a payload of its own, and the ledger names the run', async () => {
    await saveSchedule(db(), tidy, {
      key: 'tidy',
      cron: '0 2 * * *',
      timeZone: 'Europe/Berlin',
      payload: { day: due.date({ addDays: -1 }) },
    });
    const at = new Date('2026-07-14T00:00:00Z');
    await lag('tidy', at);
    const events: WorkerEvent[] = [];
    expect(await tick(events)).toMatchObject({ fired: 1 });
    const [ran] = await runs();
    const ledger = (await findDueTimes(db(), { scheduleKey: 'tidy', outcome: 'fired' })).dueTimes;
    expect(ledger).toHaveLength(1);
    expect(ledger[0]).toMatchObject({
      runId: String(ran!.id),
      runStatus: 'queued',
      type: 'tidy',
      firesAt: ledger[0]!.dueAt,
    });
    const day = new Date(ledger[0]!.dueAt.getTime() + 2 * HOUR - 24 * HOUR).toISOString().slice(0, 10);
    expect(ran!.payload).toEqual({ day: ledger[0]!.dueAt.getTime() === at.getTime() ? '2026-07-13' : day });
    expect(events.find(({ name }) => name === 'schedule.fired')).toMatchObject({
      schedule: 'tidy',
      runId: String(ran!.id),
      dueAt: ledger[0]!.dueAt,
    });
    const { nextDueAt, lastRunId } = await getSchedule(db(), 'tidy');
    expect(nextDueAt!.getTime()).toBeGreaterThan(ledger[0]!.dueAt.getTime());
    expect(lastRunId).toBe(String(ran!.id));
  });

  test('ten tickers on connections of their own race through an hour of due times, and each due time fires once', async () => {
    const clients = Array.from({ length: 5 }, () => database.connect({ poolSize: 2 }));
    const start = await minutesAgo(60);
    const keys = Array.from({ length: 20 }, (_, index) => `race:${index}`);
    await saveSchedules(
      db(),
      keys.map((key, index) =>
        scheduleRequest(note, {
          key,
          ...(index % 2 === 0 ? { cron: '* * * * *' } : { every: '30s' as const }),
          payload: { n: index },
          missed: { policy: 'all', limit: 1_000, maxAge: '2h' },
          overlap: 'allow',
        }),
      ),
    );
    for (const key of keys) await lag(key, start);
    const reports = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        tickSchedules({ db: clients[index % 5]!, catalog, worker: `w${index}`, batchSize: 3 }),
      ),
    );
    // the last ticker finds what the others still held
    reports.push(await tick());
    const { dueTimes } = await findDueTimes(db(), { limit: 1_000 });
    const all = [
      ...dueTimes,
      ...(await (async () => {
        const more = [];
        let cursor = (await findDueTimes(db(), { limit: 1_000 })).nextCursor;
        while (cursor !== null) {
          const page = await findDueTimes(db(), { limit: 1_000, cursor });
          more.push(...page.dueTimes);
          cursor = page.nextCursor;
        }
        return more;
      })()),
    ];
    expect(new Set(all.map(({ outcome }) => outcome))).toEqual(new Set(['fired']));
    for (const [index, key] of keys.entries()) {
      const times = all
        .filter(({ scheduleKey }) => scheduleKey === key)
        .map(({ dueAt }) => dueAt.getTime())
        .sort((a, b) => a - b);
      const step = index % 2 === 0 ? 60_000 : 30_000;
      expect(times[0]).toBe(start.getTime());
      expect(times.length).toBeGreaterThanOrEqual(HOUR / step);
      // no due time is missing, and none is there twice
      expect(times).toEqual(times.map((_, place) => start.getTime() + place * step));
    }
    const made = await runs();
    expect(made).toHaveLength(all.length);
    expect(new Set(all.map(({ runId }) => runId))).toEqual(new Set(made.map(({ id }) => String(id))));
    expect(reports.reduce((sum, { fired }) => sum + fired, 0)).toBe(all.length);
    expect(reports.filter(({ fired }) => fired > 0).length).toBeGreaterThan(1);
  });

  test('a ticker that dies between the enqueue and the commit has done nothing, and the next one does it', async () => {
    await saveSchedule(db(), note, { key: 'crash', cron: '* * * * *', payload: { n: 1 } });
    await lag('crash', await minutesAgo(1));
    const dying = database.connect({ poolSize: 1 });
    const broken = new Error('the process was killed');
    const client = {
      $connect: () => {},
      $queryRaw: dying.$queryRaw.bind(dying),
      $transaction: (run: (tx: unknown) => Promise<unknown>) =>
        dying.$transaction(async (tx) => {
          await run(tx);
          // everything is written, nothing is committed
          expect(await tx.jobRun.count()).toBe(1);
          throw broken;
        }),
    };
    await expect(tickSchedules({ db: client as never, catalog })).rejects.toBe(broken);
    expect(await runs()).toEqual([]);
    expect(await outcomes('crash')).toEqual([]);
    await tick();
    expect((await runs()).length).toBe(1);
  });

  test('a due time that is in the ledger is never decided again, also when the clock of the database was set back', async () => {
    await saveSchedule(db(), note, {
      key: 'again',
      cron: '* * * * *',
      payload: { n: 1 },
      missed: { policy: 'all', limit: 1_000 },
      overlap: 'allow',
    });
    const start = await minutesAgo(3);
    await lag('again', start);
    await tick();
    const before = (await runs()).length;
    await lag('again', start);
    await tick();
    const times = (await findDueTimes(db(), { scheduleKey: 'again' })).dueTimes.map(({ dueAt }) => dueAt.getTime());
    expect(new Set(times).size).toBe(times.length);
    expect((await runs()).length).toBe(times.length);
    expect((await runs()).length).toBeGreaterThanOrEqual(before);
    // and the statement itself refuses a second decision
    const { id } = await db().schedule.findUniqueOrThrow({ where: { key: 'again' } });
    const dueAt = start.toISOString();
    expect(
      await writeDueTimes(
        db(),
        [
          {
            schedule_id: String(id),
            due_at: dueAt,
            schedule_key: 'again',
            job_type: 'note',
            outcome: 'skipped',
            reason: 'missed',
            run_id: null,
            fires_at: dueAt,
          },
        ],
        [],
      ),
    ).toBe(0);
  });

  test('schedules that another ticker is deciding about are left to it, not waited for', async () => {
    await saveSchedule(db(), note, { key: 'taken', cron: '* * * * *', payload: { n: 1 } });
    await lag('taken', await minutesAgo(1));
    const second = await db().$transaction(async (tx) => {
      expect((await lockDueSchedules(tx, new Map([['note', note]]), 10)).schedules).toHaveLength(1);
      return untilItWaits(db(), database.connect({ poolSize: 1 }), (client) => tick([], client));
    });
    expect(second.isWaiting).toBe(false);
    expect(await second.answer).toMatchObject({ fired: 0, skipped: 0 });
    expect(await tick()).toMatchObject({ fired: 1 });
  });

  test('a due time that somebody else decides meanwhile makes no second run', async () => {
    await saveSchedule(db(), note, {
      key: 'beaten',
      cron: '0 0 1 1 *',
      payload: { n: 1 },
      missed: { policy: 'latest' },
    });
    const dueAt = new Date('2020-01-01T00:00:00Z');
    await lag('beaten', dueAt);
    const { id } = await db().schedule.findUniqueOrThrow({ where: { key: 'beaten' } });
    const other = database.connect({ poolSize: 1 });
    // at the last moment: its run is made, the row of the ledger is next
    const decide = async () => {
      const { dueTimes } = await findDueTimes(other, { scheduleKey: 'beaten' });
      expect(dueTimes).toEqual([]);
      await other.$executeRaw`
        INSERT INTO duework.schedule_ledger (schedule_id, due_at, schedule_key, job_type, outcome, reason, fires_at, decided_at, late_ms)
        SELECT ${id}, make_timestamptz(date_part('year', now())::int, 1, 1, 0, 0, 0, 'UTC'), 'beaten', 'note', 'skipped', 'missed', now(), now(), 0`;
    };
    const client = {
      $connect: () => {},
      $queryRaw: db().$queryRaw.bind(db()),
      $transaction: (run: (tx: unknown) => Promise<unknown>) =>
        db().$transaction((tx) =>
          run({
            $queryRaw: async (statement: Parameters<typeof tx.$queryRaw>[0] & { sql: string }) => {
              if (statement.sql.includes('INSERT INTO duework.schedule_ledger')) await decide();
              return tx.$queryRaw(statement);
            },
          }),
        ),
    };
    await expect(tickSchedules({ db: client as never, catalog })).rejects.toThrow(
      'the ledger has 1 of these due times already',
    );
    expect(await runs()).toEqual([]);
  });

  test('a clock of the application server that is half an hour wrong changes nothing', async () => {
    const realNow = Date.now;
    try {
      for (const shift of [30 * 60_000, -30 * 60_000]) {
        const key = `wrong:${shift < 0 ? 'slow' : 'fast'}`;
        Date.now = () => realNow() + shift;
        await saveSchedule(db(), note, {
          key,
          cron: '* * * * *',
          payload: { n: 1 },
          missed: { policy: 'all', limit: 1_000 },
          overlap: 'allow',
        });
        const { nextDueAt } = await getSchedule(db(), key);
        const current = await minutesAgo(0);
        expect(nextDueAt!.getTime() - current.getTime()).toBeLessThanOrEqual(60_000);
        expect(nextDueAt!.getTime()).toBeGreaterThan(current.getTime() - 60_000);
        await lag(key, await minutesAgo(2));
        await tick();
        const { dueTimes } = await findDueTimes(db(), { scheduleKey: key });
        expect(dueTimes.length === 3 || dueTimes.length === 4).toBe(true);
        const end = await minutesAgo(0);
        for (const { dueAt } of dueTimes) expect(dueAt.getTime()).toBeLessThanOrEqual(end.getTime());
      }
    } finally {
      Date.now = realNow;
    }
  });

  test('a tick with nothing due costs one query and no transaction', async () => {
    await saveSchedule(db(), note, { key: 'later', cron: '0 0 1 1 *', payload: { n: 1 } });
    let queries = 0;
    const counting = {
      $queryRaw: (...args: Parameters<PrismaClient['$queryRaw']>) => (queries++, db().$queryRaw(...args)),
      $connect: () => {},
      $transaction: () => Promise.reject(new Error('a transaction')),
    };
    const { nextTickInMs, fired } = await tickSchedules({ db: counting as never, catalog });
    expect(queries).toBe(1);
    expect(fired).toBe(0);
    expect(nextTickInMs).toBeGreaterThan(0);
  });
});

describe('a schedule of which no run can be made', () => {
  test('is skipped with a reason and reported, and the others run', async () => {
    await saveSchedule(db(), note, { key: 'a:unfit', cron: '* * * * *', payload: { n: 1 } });
    await saveSchedule(db(), note, { key: 'b:rule', cron: '* * * * *', payload: { n: 1 } });
    await saveSchedule(db(), note, { key: 'c:good', cron: '* * * * *', payload: { n: 1 } });
    for (const key of ['a:unfit', 'b:rule', 'c:good']) await lag(key, await minutesAgo(0));
    await db().$executeRaw`UPDATE duework.schedules SET payload = '{"n": "one"}' WHERE key = 'a:unfit'`;
    await db().$executeRaw`UPDATE duework.schedules SET time_zone = 'Mars/Olympus' WHERE key = 'b:rule'`;
    const events: WorkerEvent[] = [];
    await tick(events);
    expect((await outcomes('a:unfit')).at(-1)).toBe('skipped: invalid_payload');
    expect((await outcomes('b:rule')).at(-1)).toBe('skipped: invalid_rule');
    expect((await outcomes('c:good')).at(-1)).toBe('fired');
    expect(events.filter(({ name }) => name === 'schedule.failed')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ schedule: 'a:unfit', code: 'invalid_payload' }),
        expect.objectContaining({ schedule: 'b:rule', code: 'invalid_rule' }),
      ]),
    );
    // it can be shown, and is tried again later, not at once
    expect((await findSchedules(db())).schedules.map(({ key }) => key)).toEqual(['a:unfit', 'b:rule', 'c:good']);
    expect((await db().schedule.findUniqueOrThrow({ where: { key: 'b:rule' } })).tickAt!.getTime()).toBeGreaterThan(
      (await minutesAgo(0)).getTime() + 30_000,
    );
  });

  test('is left to a process that knows its type, and after five minutes reported', async () => {
    await saveSchedule(db(), note, { key: 'newer', cron: '0 0 1 1 *', payload: { n: 1 } });
    const older = { db: db(), catalog: defineCatalog([tidy]) };
    await lag('newer', new Date('2026-01-01T00:00:00Z'));
    await db().$executeRaw`UPDATE duework.schedules SET tick_at = now() - interval '1 minute'`;
    expect(await tickSchedules(older)).toMatchObject({ skipped: 0, fired: 0 });
    expect(await outcomes('newer')).toEqual([]);
    await db().$executeRaw`UPDATE duework.schedules SET tick_at = now() - interval '6 minutes'`;
    expect(await tickSchedules(older)).toMatchObject({ skipped: 1 });
    expect(await outcomes('newer')).toEqual(['skipped: unknown_job_type']);
  });

  test('is left to a process that can read its version, and after five minutes reported', async () => {
    const next = defineJob({ type: 'note', version: 2, payload: z.object({ count: z.int() }), past: {} });
    await saveSchedule(db(), next, { key: 'newer', cron: '0 0 1 1 *', payload: { count: 1 } });
    await saveSchedule(db(), note, { key: 'older', cron: '0 0 1 1 *', payload: { n: 1 } });
    const overdue = async (keys: string[], minutes: number): Promise<void> => {
      for (const key of keys) await lag(key, new Date('2026-01-01T00:00:00Z'));
      await db()
        .$executeRaw`UPDATE duework.schedules SET tick_at = now() - ${minutes}::int * interval '1 minute' WHERE key = ANY(${keys})`;
    };
    await overdue(['newer', 'older'], 1);
    expect(await tick()).toMatchObject({ fired: 1, skipped: 0 });
    expect([await outcomes('newer'), await outcomes('older')]).toEqual([[], ['fired']]);
    const events: WorkerEvent[] = [];
    await overdue(['newer'], 6);
    expect(await tick(events)).toMatchObject({ fired: 0, skipped: 1 });
    expect(await outcomes('newer')).toEqual(['skipped: unknown_job_version']);
    expect(events).toContainEqual(
      expect.objectContaining({ name: 'schedule.failed', schedule: 'newer', code: 'unknown_job_version' }),
    );
  });

  test('fails alone when the database refuses it, and is tried again later', async () => {
    for (const key of ['a', 'b', 'c'])
      await saveSchedule(db(), note, { key, cron: '* * * * *', payload: { n: key === 'b' ? 13 : 1 } });
    for (const key of ['a', 'b', 'c']) await lag(key, await minutesAgo(0));
    await db().$executeRaw`ALTER TABLE duework.job_runs ADD CONSTRAINT unlucky CHECK (payload <> '{"n": 13}')`;
    const events: WorkerEvent[] = [];
    await tick(events);
    await db().$executeRaw`ALTER TABLE duework.job_runs DROP CONSTRAINT unlucky`;
    expect((await outcomes('a')).at(-1)).toBe('fired');
    expect(await outcomes('b')).toEqual([]);
    expect((await outcomes('c')).at(-1)).toBe('fired');
    expect(events.filter(({ name }) => name === 'schedule.failed')).toMatchObject([
      { schedule: 'b', code: 'refused_by_database' },
    ]);
  });

  test('a due time that nobody decides about in time is an alert about its schedule, until somebody pauses it', async () => {
    const look = () => createPostgresStore({ db: db() }).lookForAlerts({ maxUndecidedSeconds: 300 }, []);
    await saveSchedule(db(), note, { key: 'forgotten', cron: '* * * * *', payload: { n: 1 } });
    expect(await look()).toEqual([]);
    const at = await minutesAgo(6);
    await lag('forgotten', at);
    expect(await look()).toMatchObject([
      {
        name: 'schedule_late',
        subject: 'forgotten',
        status: 'raised',
        facts: {
          schedule: 'forgotten',
          dueAt: at.toISOString().replace('.000Z', 'Z'),
          limitSeconds: 300,
        },
      },
    ]);
    expect(await look()).toEqual([]);
    await pauseSchedule(db(), 'forgotten');
    await db().$executeRaw`UPDATE duework.job_alerts SET seen_at = now() - interval '3 minutes'`;
    expect(await look()).toMatchObject([{ name: 'schedule_late', subject: 'forgotten', status: 'resolved' }]);
  });
});
