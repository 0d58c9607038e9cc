import { expect, test } from '@jest/globals';
import { cancelJob, enqueue, getJob } from '@duework/queue-core';
import { claimRuns } from '@duework/queue-core/internals';
import { bill, HOUR, note, useSchedules } from '../testing/use-schedules.js';
import { findDueTimes } from '../operate-schedules.js';
import { saveSchedule } from '../save-schedule.js';
import { due } from '../due-times/due-template.js';

const { db, lag, minutesAgo, outcomes, runs, tick } = useSchedules();

const missedBy3 = async (key: string, options: object): Promise<string[]> => {
  await saveSchedule(db(), note, { key, every: '1h', payload: { n: 1 }, overlap: 'allow', ...options } as never);
  const hour = new Date(Math.floor((await minutesAgo(0)).getTime() / HOUR) * HOUR);
  await lag(key, new Date(hour.getTime() - 3 * HOUR));
  await tick();
  return outcomes(key);
};

test('with `skip` a due time that is late does not fire', async () => {
  const found = await missedBy3('skip', { missed: { policy: 'skip', tolerance: '0s' } });
  expect(found.slice(0, 3)).toEqual(['skipped: missed', 'skipped: missed', 'skipped: missed']);
});

test('with `latest` the newest missed due time fires', async () => {
  expect((await missedBy3('latest', { missed: 'latest' })).slice(-4)).toEqual([
    'skipped: missed',
    'skipped: missed',
    'skipped: missed',
    'fired',
  ]);
});

test('with `all` the newest missed due times fire, up to the limit, and none that is older than the age', async () => {
  expect((await missedBy3('all', { missed: { policy: 'all', limit: 2 } })).slice(-4)).toEqual([
    'skipped: over_limit',
    'skipped: over_limit',
    'fired',
    'fired',
  ]);
  expect((await missedBy3('aged', { missed: { policy: 'all', limit: 9, maxAge: '3h' } })).slice(0, 2)).toEqual([
    'skipped: too_old',
    'fired',
  ]);
});

const comeDue = async (key: string): Promise<void> => {
  const {
    dueTimes: [last],
  } = await findDueTimes(db(), { scheduleKey: key, limit: 1 });
  // the next due time of the rule, as if it had come by now
  const start =
    last === undefined ? (await minutesAgo(30)).getTime() : Math.floor(last.dueAt.getTime() / 60_000) * 60_000 + 60_000;
  await db()
    .$executeRaw`UPDATE duework.schedules SET every_ms = 60000, next_due_at = ${new Date(start).toISOString()}::timestamptz, tick_at = now(), ends_at = ${new Date(start + 1).toISOString()}::timestamptz WHERE key = ${key}`;
  await tick();
};
const finish = async (id: string): Promise<void> => void (await db().jobRun.delete({ where: { id: BigInt(id) } }));

test('with the overlap `skip` no due time fires beside a live run, and the first due time after it fires', async () => {
  await saveSchedule(db(), note, { key: 'o', every: '1m', payload: { n: 1 }, overlap: 'skip' });
  await comeDue('o');
  await comeDue('o');
  expect(await outcomes('o')).toEqual(['fired', 'skipped: overlap']);
  await finish((await findDueTimes(db(), { scheduleKey: 'o', outcome: 'fired' })).dueTimes[0]!.runId!);
  await comeDue('o');
  expect(await outcomes('o')).toEqual(['fired', 'skipped: overlap', 'fired']);
});

test('with the overlap `allow` runs of one schedule run beside each other', async () => {
  await saveSchedule(db(), note, { key: 'o', every: '1m', payload: { n: 1 }, overlap: 'allow' });
  await comeDue('o');
  await comeDue('o');
  expect(await outcomes('o')).toEqual(['fired', 'fired']);
});

test('with the overlap `queue` due times run one after the other, no more than the limit wait, and each runs in its turn', async () => {
  await saveSchedule(db(), note, { key: 'o', every: '1m', payload: { n: 1 }, overlap: { policy: 'queue', limit: 2 } });
  for (let i = 0; i < 4; i++) await comeDue('o');
  expect(await outcomes('o')).toEqual(['fired', 'waiting', 'waiting', 'skipped: queue_full']);
  expect(await runs()).toHaveLength(1);
  for (const expected of [
    ['fired', 'fired', 'waiting', 'skipped: queue_full'],
    ['fired', 'fired', 'fired', 'skipped: queue_full'],
  ]) {
    await finish(String((await runs())[0]!.id));
    await db().$executeRaw`UPDATE duework.schedules SET tick_at = now() WHERE tick_at IS NOT NULL`;
    await tick();
    expect(await outcomes('o')).toEqual(expected);
    expect(await runs()).toHaveLength(1);
  }
  // nothing waits and the rule is over: no tick reads the schedule again
  await db().$executeRaw`UPDATE duework.schedules SET tick_at = now() WHERE tick_at IS NOT NULL`;
  expect(await tick()).toMatchObject({ nextTickInMs: null });
});

test('with `cancel-running` a running run is asked to end, a queued one is cancelled, and the new one is enqueued', async () => {
  await saveSchedule(db(), note, { key: 'o', every: '1m', payload: { n: 1 }, overlap: 'cancel-running' });
  await comeDue('o');
  const [first] = await runs();
  await claimRuns(db(), { queue: 'default', contracts: new Map([['note', note]]), worker: 'w', limit: 1 });
  await comeDue('o');
  const second = (await runs())[1]!;
  expect((await getJob(db(), String(first!.id))).job).toMatchObject({
    status: 'running',
    cancelRequestedBy: 'schedule:o',
  });
  await comeDue('o');
  expect((await getJob(db(), String(second.id))).job).toMatchObject({
    status: 'cancelled',
    cancelRequestedBy: 'schedule:o',
  });
  expect(await outcomes('o')).toEqual(['fired', 'fired', 'fired']);
  // a tick is no operator: the run says who cancelled it, and the audit keeps what people do
  expect(await db().auditEntry.count({ where: { verb: 'cancel' } })).toBe(0);
  await cancelJob(db(), String(second.id)).catch(() => {});
});

test('a business event that has its run already gets no second one, and the ledger names the first', async () => {
  const { id } = await enqueue(db(), bill, { day: '2026-01-13' });
  await saveSchedule(db(), bill, { key: 'bill', cron: '0 2 * * *', payload: { day: due.date({ addDays: -1 }) } });
  await db()
    .$executeRaw`UPDATE duework.schedules SET next_due_at = '2026-01-14T02:00:00Z', tick_at = now(), ends_at = '2026-01-14T03:00:00Z'`;
  await tick();
  expect((await findDueTimes(db(), { scheduleKey: 'bill' })).dueTimes).toMatchObject([
    { outcome: 'skipped', reason: 'duplicate', runId: id },
  ]);
  expect(await runs()).toHaveLength(1);
});

test('no run is made of a payload with a number that JavaScript would turn into another one', async () => {
  await saveSchedule(db(), note, { key: 'big', every: '1h', payload: { n: 1 } });
  await db().$executeRaw`
    UPDATE duework.schedules SET payload = '{"n": 9007199254740993}', next_due_at = now() - interval '1 second', tick_at = now()
    WHERE key = 'big'`;
  await tick();
  expect((await findDueTimes(db(), { scheduleKey: 'big' })).dueTimes[0]).toMatchObject({
    outcome: 'skipped',
    reason: 'invalid_payload',
  });
  expect(await runs()).toEqual([]);
});
