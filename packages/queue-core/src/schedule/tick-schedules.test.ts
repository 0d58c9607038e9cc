import { defineCatalog, defineJob } from '@duework/contracts';
import type { PrismaClient } from '@duework/database';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue.js';
import type { WorkerEvent } from '../events.js';
import { cancelJob, getJob } from '../operate.js';
import { claimRuns } from '../sql/claim-runs.js';
import { untilItWaits } from '../testing/internal/until-it-waits.js';
import { useTestDatabase } from '../testing/internal/use-test-database.js';
import { lockDueSchedules } from '../sql/lock-due-schedules.js';
import { raiseSlotAlerts } from '../sql/raise-slot-alerts.js';
import { writeSlots } from '../sql/write-slots.js';
import { createTicker } from './create-ticker.js';
import { deleteSchedule, findSchedules, findSlots, pauseSchedule, resumeSchedule, triggerSchedule } from './operate-schedules.js';
import { getSchedule, registerSchedules, saveSchedule, saveSchedules } from './save-schedule.js';
import { scheduleRequest } from './schedule-request.js';
import { slot } from './slot-template.js';
import { tickSchedules, type TickReport } from './tick-schedules.js';

const tidy = defineJob({ type: 'tidy', payload: z.object({ day: z.iso.date() }) });
const note = defineJob({ type: 'note', payload: z.object({ n: z.int() }) });
const bill = defineJob({ type: 'bill', payload: z.object({ day: z.iso.date() }), idempotencyKey: ({ day }) => `bill:${day}` });
const catalog = defineCatalog([tidy, note, bill]);

const database = useTestDatabase();
const db = (): PrismaClient => database.db;
const HOUR = 3_600_000;

beforeEach(async () => {
  await db().$executeRaw`TRUNCATE duework.schedules, duework.schedule_slots, duework.job_runs, duework.job_keys, duework.job_alerts`;
});

/** As if nobody had ticked since `ms` ago: the next slot is the first one of then, which has to be one of the rule. */
async function lag(key: string, slotAt: Date): Promise<void> {
  await db().$executeRaw`UPDATE duework.schedules SET next_slot_at = ${slotAt.toISOString()}::timestamptz, tick_at = ${slotAt.toISOString()}::timestamptz + splay_offset_ms * interval '1 millisecond' WHERE key = ${key}`;
}
/** The start of the minute so many minutes ago, on the database's clock. */
async function minutesAgo(minutes: number): Promise<Date> {
  const [row] = await db().$queryRaw<{ ms: number }[]>`SELECT (extract(epoch FROM date_trunc('minute', now())) * 1000)::float8 AS ms`;
  return new Date(row!.ms - minutes * 60_000);
}
async function tick(events: WorkerEvent[] = [], client = db()): Promise<TickReport> {
  return tickSchedules({ db: client, catalog, worker: 'w', emit: (event) => void events.push(event) });
}
const outcomes = async (scheduleKey: string) => (await findSlots(db(), { scheduleKey, limit: 1_000 })).slots.toReversed().map(({ outcome, reason }) => (reason === null ? outcome : `${outcome}: ${reason}`));
const runs = () => db().jobRun.findMany({ orderBy: { id: 'asc' } });

describe('one slot, one run', () => {
  test('a slot that is due becomes a run with a payload of its own, and the ledger says which', async () => {
    await saveSchedule(db(), tidy, { key: 'tidy', cron: '0 2 * * *', timeZone: 'Europe/Berlin', payload: { day: slot.date({ addDays: -1 }) } });
    const at = new Date('2026-07-14T00:00:00Z');
    await lag('tidy', at);
    const events: WorkerEvent[] = [];
    expect(await tick(events)).toMatchObject({ fired: 1 });
    const [ran] = await runs();
    const ledger = (await findSlots(db(), { scheduleKey: 'tidy', outcome: 'fired' })).slots;
    expect(ledger).toHaveLength(1);
    expect(ledger[0]).toMatchObject({ runId: String(ran!.id), runStatus: 'queued', type: 'tidy', dueAt: ledger[0]!.slotAt });
    const day = new Date(ledger[0]!.slotAt.getTime() + 2 * HOUR - 24 * HOUR).toISOString().slice(0, 10);
    expect(ran!.payload).toEqual({ day: ledger[0]!.slotAt.getTime() === at.getTime() ? '2026-07-13' : day });
    expect(events.find(({ name }) => name === 'slot.fired')).toMatchObject({ schedule: 'tidy', runId: String(ran!.id), slotAt: ledger[0]!.slotAt });
    const { nextSlotAt, lastRunId } = await getSchedule(db(), 'tidy');
    expect(nextSlotAt!.getTime()).toBeGreaterThan(ledger[0]!.slotAt.getTime());
    expect(lastRunId).toBe(String(ran!.id));
  });

  test('ten tickers on connections of their own race through an hour of slots: each once', async () => {
    const clients = Array.from({ length: 5 }, () => database.connect({ poolSize: 2 }));
    const start = await minutesAgo(60);
    const keys = Array.from({ length: 20 }, (_, index) => `race:${index}`);
    await saveSchedules(db(), keys.map((key, index) => scheduleRequest(note, {
      key, ...(index % 2 === 0 ? { cron: '* * * * *' } : { every: '30s' as const }), payload: { n: index },
      missed: { policy: 'all', limit: 1_000, maxAge: '2h' }, overlap: 'allow',
    })));
    for (const key of keys) await lag(key, start);
    const reports = await Promise.all(Array.from({ length: 10 }, (_, index) => tickSchedules({ db: clients[index % 5]!, catalog, worker: `w${index}`, batchSize: 3 })));
    // whoever comes last finds what the others still held
    reports.push(await tick());
    const { slots } = await findSlots(db(), { limit: 1_000 });
    const all = [...slots, ...(await (async () => {
      const more = [];
      let cursor = (await findSlots(db(), { limit: 1_000 })).nextCursor;
      while (cursor !== null) {
        const page = await findSlots(db(), { limit: 1_000, cursor });
        more.push(...page.slots);
        cursor = page.nextCursor;
      }
      return more;
    })())];
    expect(new Set(all.map(({ outcome }) => outcome))).toEqual(new Set(['fired']));
    for (const [index, key] of keys.entries()) {
      const times = all.filter(({ scheduleKey }) => scheduleKey === key).map(({ slotAt }) => slotAt.getTime()).sort((a, b) => a - b);
      const step = index % 2 === 0 ? 60_000 : 30_000;
      expect(times[0]).toBe(start.getTime());
      expect(times.length).toBeGreaterThanOrEqual(HOUR / step);
      // none is missing, none is there twice
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
      $transaction: (run: (tx: unknown) => Promise<unknown>) => dying.$transaction(async (tx) => {
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

  test('a slot that is in the ledger is never decided again, also when the clock of the database was set back', async () => {
    await saveSchedule(db(), note, { key: 'again', cron: '* * * * *', payload: { n: 1 }, missed: { policy: 'all', limit: 1_000 }, overlap: 'allow' });
    const start = await minutesAgo(3);
    await lag('again', start);
    await tick();
    const before = (await runs()).length;
    await lag('again', start);
    await tick();
    const times = (await findSlots(db(), { scheduleKey: 'again' })).slots.map(({ slotAt }) => slotAt.getTime());
    expect(new Set(times).size).toBe(times.length);
    expect((await runs()).length).toBe(times.length);
    expect((await runs()).length).toBeGreaterThanOrEqual(before);
    // and the statement itself refuses it
    const { id } = (await db().schedule.findUniqueOrThrow({ where: { key: 'again' } }));
    const slotAt = start.toISOString();
    expect(await writeSlots(db(), [{ schedule_id: String(id), slot_at: slotAt, schedule_key: 'again', job_type: 'note', outcome: 'skipped', reason: 'missed', run_id: null, due_at: slotAt }], [])).toBe(0);
  });

  test('schedules that another ticker is deciding about are left to it, not waited for', async () => {
    await saveSchedule(db(), note, { key: 'taken', cron: '* * * * *', payload: { n: 1 } });
    await lag('taken', await minutesAgo(1));
    const second = await db().$transaction(async (tx) => {
      expect((await lockDueSchedules(tx, ['note'], 10)).schedules).toHaveLength(1);
      return untilItWaits(db(), database.connect({ poolSize: 1 }), (client) => tick([], client));
    });
    expect(second.isWaiting).toBe(false);
    expect(await second.answer).toMatchObject({ fired: 0, skipped: 0 });
    expect(await tick()).toMatchObject({ fired: 1 });
  });

  test('a slot that somebody else decides meanwhile makes no second run', async () => {
    await saveSchedule(db(), note, { key: 'beaten', cron: '0 0 1 1 *', payload: { n: 1 }, missed: { policy: 'latest' } });
    const slotAt = new Date('2020-01-01T00:00:00Z');
    await lag('beaten', slotAt);
    const { id } = await db().schedule.findUniqueOrThrow({ where: { key: 'beaten' } });
    const other = database.connect({ poolSize: 1 });
    // at the last moment: its run is made, the ledger is next
    const decide = async () => {
      const { slots } = await findSlots(other, { scheduleKey: 'beaten' });
      expect(slots).toEqual([]);
      await other.$executeRaw`
        INSERT INTO duework.schedule_slots (schedule_id, slot_at, schedule_key, job_type, outcome, reason, due_at, decided_at, late_ms)
        SELECT ${id}, make_timestamptz(date_part('year', now())::int, 1, 1, 0, 0, 0, 'UTC'), 'beaten', 'note', 'skipped', 'missed', now(), now(), 0`;
    };
    const client = {
      $connect: () => {},
      $queryRaw: db().$queryRaw.bind(db()),
      $transaction: (run: (tx: unknown) => Promise<unknown>) => db().$transaction((tx) => run({
        $queryRaw: async (statement: Parameters<typeof tx.$queryRaw>[0] & { sql: string }) => {
          if (statement.sql.includes('INSERT INTO duework.schedule_slots')) await decide();
          return tx.$queryRaw(statement);
        },
      })),
    };
    await expect(tickSchedules({ db: client as never, catalog })).rejects.toThrow('the ledger has 1 of these slots already');
    expect(await runs()).toEqual([]);
  });

  test('the clock of the application server half an hour wrong changes nothing', async () => {
    const realNow = Date.now;
    try {
      for (const shift of [30 * 60_000, -30 * 60_000]) {
        const key = `wrong:${shift < 0 ? 'slow' : 'fast'}`;
        Date.now = () => realNow() + shift;
        await saveSchedule(db(), note, { key, cron: '* * * * *', payload: { n: 1 }, missed: { policy: 'all', limit: 1_000 }, overlap: 'allow' });
        const { nextSlotAt } = await getSchedule(db(), key);
        const current = await minutesAgo(0);
        expect(nextSlotAt!.getTime() - current.getTime()).toBeLessThanOrEqual(60_000);
        expect(nextSlotAt!.getTime()).toBeGreaterThan(current.getTime() - 60_000);
        await lag(key, await minutesAgo(2));
        await tick();
        const { slots } = await findSlots(db(), { scheduleKey: key });
        expect(slots.length === 3 || slots.length === 4).toBe(true);
        const end = await minutesAgo(0);
        for (const { slotAt } of slots) expect(slotAt.getTime()).toBeLessThanOrEqual(end.getTime());
      }
    } finally {
      Date.now = realNow;
    }
  });

  test('nothing due costs one query and no transaction', async () => {
    await saveSchedule(db(), note, { key: 'later', cron: '0 0 1 1 *', payload: { n: 1 } });
    let queries = 0;
    const counting = { $queryRaw: (...args: Parameters<PrismaClient['$queryRaw']>) => (queries++, db().$queryRaw(...args)), $connect: () => {}, $transaction: () => Promise.reject(new Error('a transaction')) };
    const { nextTickInMs, fired } = await tickSchedules({ db: counting as never, catalog });
    expect(queries).toBe(1);
    expect(fired).toBe(0);
    expect(nextTickInMs).toBeGreaterThan(0);
  });
});

describe('missed and overlapping slots', () => {
  const missedBy3 = async (key: string, options: object): Promise<string[]> => {
    await saveSchedule(db(), note, { key, every: '1h', payload: { n: 1 }, overlap: 'allow', ...options } as never);
    const hour = new Date(Math.floor((await minutesAgo(0)).getTime() / HOUR) * HOUR);
    await lag(key, new Date(hour.getTime() - 3 * HOUR));
    await tick();
    return outcomes(key);
  };

  test('skip leaves out what is late', async () => {
    const found = await missedBy3('skip', { missed: { policy: 'skip', tolerance: '0s' } });
    expect(found.slice(0, 3)).toEqual(['skipped: missed', 'skipped: missed', 'skipped: missed']);
  });

  test('latest makes up for the newest', async () => {
    expect((await missedBy3('latest', { missed: 'latest' })).slice(-4)).toEqual(['skipped: missed', 'skipped: missed', 'skipped: missed', 'fired']);
  });

  test('all makes up for the newest, up to the limit, none older than the age', async () => {
    expect((await missedBy3('all', { missed: { policy: 'all', limit: 2 } })).slice(-4)).toEqual(['skipped: over_limit', 'skipped: over_limit', 'fired', 'fired']);
    expect((await missedBy3('aged', { missed: { policy: 'all', limit: 9, maxAge: '3h' } })).slice(0, 2)).toEqual(['skipped: too_old', 'fired']);
  });

  const due = async (key: string): Promise<void> => {
    const { slots: [last] } = await findSlots(db(), { scheduleKey: key, limit: 1 });
    // the next slot of the rule, as if it had come by now
    const start = last === undefined ? (await minutesAgo(30)).getTime() : Math.floor(last.slotAt.getTime() / 60_000) * 60_000 + 60_000;
    await db().$executeRaw`UPDATE duework.schedules SET every_ms = 60000, next_slot_at = ${new Date(start).toISOString()}::timestamptz, tick_at = now(), ends_at = ${new Date(start + 1).toISOString()}::timestamptz WHERE key = ${key}`;
    await tick();
  };
  const finish = async (id: string): Promise<void> => void (await db().jobRun.delete({ where: { id: BigInt(id) } }));

  test('skip: no slot fires beside a live run, and the next one after it does', async () => {
    await saveSchedule(db(), note, { key: 'o', every: '1m', payload: { n: 1 }, overlap: 'skip' });
    await due('o');
    await due('o');
    expect(await outcomes('o')).toEqual(['fired', 'skipped: overlap']);
    await finish((await findSlots(db(), { scheduleKey: 'o', outcome: 'fired' })).slots[0]!.runId!);
    await due('o');
    expect(await outcomes('o')).toEqual(['fired', 'skipped: overlap', 'fired']);
  });

  test('allow: they run beside each other', async () => {
    await saveSchedule(db(), note, { key: 'o', every: '1m', payload: { n: 1 }, overlap: 'allow' });
    await due('o');
    await due('o');
    expect(await outcomes('o')).toEqual(['fired', 'fired']);
  });

  test('queue: one after the other, no more than the limit wait, and each that waits runs in its turn', async () => {
    await saveSchedule(db(), note, { key: 'o', every: '1m', payload: { n: 1 }, overlap: { policy: 'queue', limit: 2 } });
    for (let i = 0; i < 4; i++) await due('o');
    expect(await outcomes('o')).toEqual(['fired', 'waiting', 'waiting', 'skipped: queue_full']);
    expect(await runs()).toHaveLength(1);
    for (const expected of [['fired', 'fired', 'waiting', 'skipped: queue_full'], ['fired', 'fired', 'fired', 'skipped: queue_full']]) {
      await finish(String((await runs())[0]!.id));
      await db().$executeRaw`UPDATE duework.schedules SET tick_at = now() WHERE tick_at IS NOT NULL`;
      await tick();
      expect(await outcomes('o')).toEqual(expected);
      expect(await runs()).toHaveLength(1);
    }
    // nothing waits and the rule is over: nothing is looked at again
    await db().$executeRaw`UPDATE duework.schedules SET tick_at = now() WHERE tick_at IS NOT NULL`;
    expect(await tick()).toMatchObject({ nextTickInMs: null });
  });

  test('cancel-running: the one that runs is asked to stop, one that only waited is cancelled, and the new one is enqueued', async () => {
    await saveSchedule(db(), note, { key: 'o', every: '1m', payload: { n: 1 }, overlap: 'cancel-running' });
    await due('o');
    const [first] = await runs();
    await claimRuns(db(), { queue: 'default', leaseMsByType: new Map([['note', 60_000]]), worker: 'w', limit: 1 });
    await due('o');
    const second = (await runs())[1]!;
    expect((await getJob(db(), String(first!.id))).job).toMatchObject({ status: 'running', cancelRequestedBy: 'schedule:o' });
    await due('o');
    expect((await getJob(db(), String(second.id))).job).toMatchObject({ status: 'cancelled', cancelRequestedBy: 'schedule:o' });
    expect(await outcomes('o')).toEqual(['fired', 'fired', 'fired']);
    await cancelJob(db(), String(second.id)).catch(() => {});
  });

  test('a business event that has its run already gets no second one, and the ledger names it', async () => {
    const { id } = await enqueue(db(), bill, { day: '2026-01-13' });
    await saveSchedule(db(), bill, { key: 'bill', cron: '0 2 * * *', payload: { day: slot.date({ addDays: -1 }) } });
    await db().$executeRaw`UPDATE duework.schedules SET next_slot_at = '2026-01-14T02:00:00Z', tick_at = now(), ends_at = '2026-01-14T03:00:00Z'`;
    await tick();
    expect((await findSlots(db(), { scheduleKey: 'bill' })).slots).toMatchObject([{ outcome: 'skipped', reason: 'duplicate', runId: id }]);
    expect(await runs()).toHaveLength(1);
  });
});

describe('a schedule that nothing can be made of', () => {
  test('is skipped with a reason and told about, and the others run', async () => {
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
    expect(events.filter(({ name }) => name === 'schedule.failed')).toEqual(expect.arrayContaining([
      expect.objectContaining({ schedule: 'a:unfit', code: 'invalid_payload' }), expect.objectContaining({ schedule: 'b:rule', code: 'invalid_rule' }),
    ]));
    // it can be shown, and is looked at again later, not at once
    expect((await findSchedules(db())).schedules.map(({ key }) => key)).toEqual(['a:unfit', 'b:rule', 'c:good']);
    expect((await db().schedule.findUniqueOrThrow({ where: { key: 'b:rule' } })).tickAt!.getTime()).toBeGreaterThan((await minutesAgo(0)).getTime() + 30_000);
  });

  test('of a type that this process does not know is left to one that does, and after five minutes told about', async () => {
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

  test('that the database refuses fails alone, and comes again later', async () => {
    for (const key of ['a', 'b', 'c']) await saveSchedule(db(), note, { key, cron: '* * * * *', payload: { n: key === 'b' ? 13 : 1 } });
    for (const key of ['a', 'b', 'c']) await lag(key, await minutesAgo(0));
    await db().$executeRaw`ALTER TABLE duework.job_runs ADD CONSTRAINT unlucky CHECK (payload <> '{"n": 13}')`;
    const events: WorkerEvent[] = [];
    await tick(events);
    await db().$executeRaw`ALTER TABLE duework.job_runs DROP CONSTRAINT unlucky`;
    expect((await outcomes('a')).at(-1)).toBe('fired');
    expect(await outcomes('b')).toEqual([]);
    expect((await outcomes('c')).at(-1)).toBe('fired');
    expect(events.filter(({ name }) => name === 'schedule.failed')).toMatchObject([{ schedule: 'b', code: 'refused_by_database' }]);
  });

  test('a slot that nobody decides about in time raises an alert, once an hour', async () => {
    await saveSchedule(db(), note, { key: 'forgotten', cron: '* * * * *', payload: { n: 1 } });
    expect(await raiseSlotAlerts(db(), 300)).toEqual([]);
    const at = await minutesAgo(6);
    await lag('forgotten', at);
    expect(await raiseSlotAlerts(db(), 300)).toEqual([{ name: 'slot_missing', facts: { schedules: 1, schedule: 'forgotten', slotAt: at.toISOString().replace('.000Z', 'Z'), limitSeconds: 300 } }]);
    expect(await raiseSlotAlerts(db(), 300)).toEqual([]);
    await pauseSchedule(db(), 'forgotten');
    await db().$executeRaw`TRUNCATE duework.job_alerts`;
    expect(await raiseSlotAlerts(db(), 300)).toEqual([]);
  });
});

describe('schedules are data', () => {
  test('a changed rule counts from now, any other edit leaves the next slot where it is', async () => {
    await saveSchedule(db(), note, { key: 's', cron: '0 0 1 1 *', payload: { n: 1 } });
    const before = (await getSchedule(db(), 's')).nextSlotAt!;
    await saveSchedule(db(), note, { key: 's', cron: '0 0 1 1 *', payload: { n: 2 }, overlap: 'queue', splay: '1h' });
    expect(await getSchedule(db(), 's')).toMatchObject({ payload: { n: 2 }, nextSlotAt: before, overlap: { policy: 'queue' } });
    await tick();
    const splayed = await db().schedule.findUniqueOrThrow({ where: { key: 's' } });
    expect(splayed.tickAt!.getTime()).toBe(before.getTime() + Number(splayed.splayOffsetMs));
    await lag('s', await minutesAgo(10));
    const edited = await saveSchedule(db(), note, { key: 's', cron: '30 3 * * *', payload: { n: 2 } });
    expect(edited.nextSlotAt!.getTime()).toBeGreaterThan((await minutesAgo(0)).getTime());
    await tick();
    expect(await outcomes('s')).toEqual([]);
  });

  test('a paused schedule fires nothing, and what it missed follows its policy when it goes on', async () => {
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

  test('a hand trigger runs it beside its slots and never consumes the next one', async () => {
    await saveSchedule(db(), bill, { key: 'h', cron: '0 0 * * *', payload: { day: slot.date() }, overlap: 'allow' });
    const before = await getSchedule(db(), 'h');
    const one = await triggerSchedule(db(), catalog, 'h');
    const two = await triggerSchedule(db(), catalog, 'h');
    expect(one.id).not.toBe(two.id);
    expect((await getSchedule(db(), 'h')).nextSlotAt).toEqual(before.nextSlotAt);
    expect(await outcomes('h')).toEqual(['fired: triggered', 'fired: triggered']);
    const today = new Date(Math.floor((await minutesAgo(0)).getTime() / (24 * HOUR)) * 24 * HOUR);
    await lag('h', today);
    await tick();
    expect((await findSlots(db(), { scheduleKey: 'h' })).slots.filter(({ reason, outcome }) => reason === null && outcome === 'fired')).toHaveLength(1);
    expect(await runs()).toHaveLength(3);
  });

  test('a deleted schedule leaves its ledger, and what waited is skipped', async () => {
    await saveSchedule(db(), note, { key: 'd', every: '1m', payload: { n: 1 }, missed: { policy: 'all', limit: 3 }, overlap: 'queue' });
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

  test('edits, pauses, triggers and deletes while tickers run leave no slot twice and nobody waiting', async () => {
    const clients = [database.connect({ poolSize: 3 }), database.connect({ poolSize: 3 })];
    const keys = Array.from({ length: 10 }, (_, index) => `busy:${index}`);
    const save = (key: string, n: number) => saveSchedule(clients[0]!, note, { key, every: '1m', payload: { n }, missed: { policy: 'all', limit: 100 }, overlap: 'allow' });
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
      FROM duework.schedule_slots WHERE outcome = 'fired'`;
    expect(doubled!.distinct_runs).toBe(doubled!.fired);
    expect(doubled!.runs).toBe(doubled!.fired);
  });

  test('a thousand entities have a schedule each, at nine on Monday in their own zones', async () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Pacific/Auckland'];
    await saveSchedules(db(), Array.from({ length: 1_000 }, (_, index) => scheduleRequest(tidy, {
      key: `report:user:${index}`, cron: '0 9 * * 1', timeZone: zones[index % 4]!, payload: { day: slot.date({ addDays: -7 }) },
    })));
    await db().$executeRaw`UPDATE duework.schedules SET next_slot_at = next_slot_at - interval '7 days', tick_at = tick_at - interval '7 days', created_at = now() - interval '9 days'`;
    const { fired } = await tick();
    const { slots } = await findSlots(db(), { outcome: 'fired', limit: 1_000 });
    expect(slots).toHaveLength(fired);
    expect(fired).toBeGreaterThan(0);
    for (const { slotAt, scheduleKey } of slots) {
      const zone = zones[Number(scheduleKey.split(':')[2]) % 4]!;
      expect(slotAt.toLocaleString('en-GB', { timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit' })).toBe('Mon 09:00');
    }
  });

  test('what cannot be saved is refused with a code, and nothing is written', async () => {
    const code = (promise: Promise<unknown>) => promise.then(() => 'saved', (error: { code?: string }) => error.code);
    const good = { key: 'x', cron: '@daily', payload: { n: 1 } };
    expect(await code(saveSchedule(db(), note, { ...good, key: '' }))).toBe('invalid_schedule_key');
    expect(await code(saveSchedule(db(), note, { ...good, key: 'a b' }))).toBe('invalid_schedule_key');
    expect(await code(saveSchedule(db(), note, { ...good, cron: '0 0 31 2 *' }))).toBe('rule_never_fires');
    expect(await code(saveSchedule(db(), note, { ...good, payload: { n: 'one' } as never }))).toBe('invalid_payload');
    expect(await code(saveSchedule(db(), note, { ...good, payload: { n: slot.date() } as never }))).toBe('invalid_payload');
    expect(await code(saveSchedule(db(), tidy, { ...good, payload: { day: { $slot: 'week' } } as never }))).toBe('invalid_template');
    expect(await code(saveSchedule(db(), bill, { ...good, payload: { day: '2026-01-01' } }))).toBe('invalid_template');
    expect(await code(saveSchedule(db(), note, { ...good, splay: '2d' }))).toBe('invalid_option');
    expect(await code(saveSchedule(db(), note, { ...good, missed: 'some' as never }))).toBe('invalid_option');
    expect(await code(saveSchedule(db(), note, { ...good, overlap: { policy: 'queue', limit: 0 } }))).toBe('invalid_option');
    expect(await code(saveSchedules(db(), [scheduleRequest(note, good), scheduleRequest(note, good)]))).toBe('invalid_option');
    expect((await findSchedules(db())).schedules).toEqual([]);
  });

  test('a schedule rolls back with the write that made it', async () => {
    await expect(db().$transaction(async (tx) => {
      await saveSchedule(tx, note, { key: 'tx', cron: '@daily', payload: { n: 1 } });
      throw new Error('no');
    })).rejects.toThrow('no');
    expect((await findSchedules(db())).schedules).toEqual([]);
  });

  test('schedules in the code are upserted at a deploy, marked as such, and removed when they vanish', async () => {
    const daily = scheduleRequest(note, { key: 'code:daily', cron: '@daily', payload: { n: 1 } });
    const weekly = scheduleRequest(note, { key: 'code:weekly', cron: '@weekly', payload: { n: 1 } });
    await saveSchedule(db(), note, { key: 'mine', cron: '@daily', payload: { n: 1 } });
    expect(await registerSchedules(db(), catalog, [daily, weekly], { version: 1 })).toEqual({ saved: ['code:daily', 'code:weekly'], removed: [] });
    await pauseSchedule(db(), 'code:daily');
    expect(await registerSchedules(db(), catalog, [daily], { version: 2 })).toEqual({ saved: ['code:daily'], removed: ['code:weekly'] });
    expect(await getSchedule(db(), 'code:daily')).toMatchObject({ source: 'code', sourceVersion: 2, isPaused: true });
    // a program of before the deploy that starts again takes nothing back
    expect(await registerSchedules(db(), catalog, [weekly], { version: 1 })).toEqual({ saved: [], removed: [] });
    expect((await findSchedules(db())).schedules.map(({ key, source }) => [key, source])).toEqual([['code:daily', 'code'], ['mine', 'api']]);
    const past = scheduleRequest(note, { key: 'code:once', at: new Date('2020-01-01T00:00:00Z'), payload: { n: 1 } });
    await registerSchedules(db(), catalog, [past], { version: 3 });
    expect(await getSchedule(db(), 'code:once')).toMatchObject({ nextSlotAt: null });
    await tick();
    expect(await outcomes('code:once')).toEqual([]);
  });

  test('two deploys at once: the older list changes nothing that the newer one is just writing', async () => {
    const [daily, weekly] = ['daily', 'weekly'].map((key) => scheduleRequest(note, { key: `code:${key}`, cron: '@daily', payload: { n: 1 } }));
    await registerSchedules(db(), catalog, [daily!, weekly!], { version: 1 });
    const older = await db().$transaction(async (tx) => {
      await registerSchedules(tx, catalog, [daily!, weekly!], { version: 2 });
      return untilItWaits(db(), database.connect({ poolSize: 1 }), (client) => registerSchedules(client, catalog, [daily!], { version: 1 }));
    });
    expect(await older.answer).toEqual({ saved: [], removed: [] });
    expect((await findSchedules(db())).schedules.map(({ key, sourceVersion }) => [key, sourceVersion])).toEqual([['code:daily', 2], ['code:weekly', 2]]);
  });

  test('the ledger is kept for its days; a slot that waits, or was only just decided, is not dropped', async () => {
    const ticker = createTicker({ db: db(), catalog });
    const { id } = await db().schedule.create({ data: {
      key: 'old', jobType: 'note', payload: {}, cron: '@daily', timeZone: 'UTC', missed: 'latest', missedToleranceMs: 0, missedLimit: 1, missedMaxAgeMs: 0,
      overlap: 'skip', overlapLimit: 1, splayMs: 0, splayOffsetMs: 0, source: 'api',
    } });
    const line = (slotDays: number, decidedDays: number, outcome: string) => db().$executeRaw`
      INSERT INTO duework.schedule_slots (schedule_id, slot_at, schedule_key, job_type, outcome, reason, due_at, decided_at, late_ms)
      SELECT ${id}, now() - ${slotDays} * interval '1 day', 'old', 'note', ${outcome}, 'missed', now(), now() - ${decidedDays} * interval '1 day', 0`;
    await line(40, 40, 'skipped');
    await line(41, 41, 'waiting');
    await line(42, 1, 'skipped');
    await line(2, 2, 'skipped');
    expect(await ticker.retain(30)).toBe(1);
    expect(await outcomes('old')).toEqual(['skipped: missed', 'waiting: missed', 'skipped: missed']);
  });

  test('a splay spreads schedules of one moment, each always at the same place', async () => {
    await saveSchedules(db(), Array.from({ length: 400 }, (_, index) => scheduleRequest(note, { key: `spread:${index}`, cron: '@daily', payload: { n: 1 }, splay: '10m' })));
    const rows = await db().schedule.findMany();
    const offsets = rows.map(({ splayOffsetMs }) => Number(splayOffsetMs));
    const perMinute = Array.from({ length: 10 }, (_, minute) => offsets.filter((ms) => Math.floor(ms / 60_000) === minute).length);
    expect(Math.min(...perMinute)).toBeGreaterThan(20);
    expect(new Set(rows.map(({ nextSlotAt }) => nextSlotAt!.getTime())).size).toBe(1);
    for (const row of rows) expect(row.tickAt!.getTime()).toBe(row.nextSlotAt!.getTime() + Number(row.splayOffsetMs));
  });
});
