import { defineCatalog, defineJob } from '@duework/contracts';
import { emptyTables } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { triggerSchedule } from '../operate-schedules.js';
import { saveSchedule } from '../save-schedule.js';
import { due } from './due-template.js';
import { tickSchedules } from '../tick/tick-schedules.js';
import { useSchedules } from '../testing/use-schedules.js';

const { db, lag, minutesAgo, outcomes, runs } = useSchedules();

const dayV1 = z.object({ day: z.iso.date() });
const first = defineJob({ type: 'bill', payload: dayV1, idempotencyKey: ({ day }) => `v1:${day}` });
const second = defineJob({
  type: 'bill',
  version: 2,
  payload: z.object({ from: z.iso.date(), days: z.int() }),
  idempotencyKey: ({ from, days }) => `v2:${from}:${days}`,
  past: { 1: { payload: dayV1, lift: ({ day }) => ({ from: day, days: 1 }) } },
});
const forgetful = defineJob({ type: 'bill', version: 2, payload: second.payload, past: {} });

test('a schedule that was saved with an older version makes runs in today’s shape, with today’s key, by the clock and by hand', async () => {
  await saveSchedule(db(), first, { key: 'daily', cron: '* * * * *', payload: { day: due.date() }, overlap: 'allow' });
  await lag('daily', await minutesAgo(0));
  expect(await tickSchedules({ db: db(), catalog: defineCatalog([second]) })).toMatchObject({ fired: 1 });
  await triggerSchedule(db(), [second], 'daily');
  const day = (await minutesAgo(0)).toISOString().slice(0, 10);
  const payload = { from: day, days: 1 };
  expect(await runs()).toMatchObject([
    { jobVersion: 2, payload, idempotencyKey: `v2:${day}:1` },
    { jobVersion: 2, payload, idempotencyKey: null },
  ]);
  // what was saved stays what it was, for an older program that ticks after a roll-back
  await lag('daily', await minutesAgo(0));
  await emptyTables(db(), 'schedule_ledger');
  expect(await tickSchedules({ db: db(), catalog: defineCatalog([first]) })).toMatchObject({ fired: 1 });
  expect((await runs()).at(-1)).toMatchObject({ jobVersion: 1, payload: { day }, idempotencyKey: `v1:${day}` });
});

test('a schedule whose payload no step can lift skips its due time, and blocks no other', async () => {
  const broken = defineJob({
    type: 'bill',
    version: 2,
    payload: second.payload,
    past: {
      1: {
        payload: dayV1,
        lift: () => {
          throw new Error('cannot');
        },
      },
    },
  });
  await saveSchedule(db(), first, { key: 'old', cron: '* * * * *', payload: { day: due.date() } });
  await saveSchedule(db(), second, { key: 'new', cron: '* * * * *', payload: { from: due.date(), days: 1 } });
  for (const key of ['old', 'new']) await lag(key, await minutesAgo(0));
  expect(await tickSchedules({ db: db(), catalog: defineCatalog([broken]) })).toMatchObject({ fired: 1, skipped: 1 });
  expect(await outcomes('old')).toEqual(['skipped: invalid_payload']);
  expect(await outcomes('new')).toEqual(['fired']);
});

test('a schedule of a version that a program cannot read is triggered by none of it', async () => {
  await saveSchedule(db(), first, { key: 'old', cron: '@daily', payload: { day: due.date() } });
  await saveSchedule(db(), second, { key: 'new', cron: '@daily', payload: { from: due.date(), days: 1 } });
  await expect(triggerSchedule(db(), [forgetful], 'old')).rejects.toMatchObject({
    code: 'unknown_job_version',
    facts: { type: 'bill', version: 1, oldestVersion: 2, newestVersion: 2 },
  });
  await expect(triggerSchedule(db(), [first], 'new')).rejects.toMatchObject({ code: 'unknown_job_version' });
});
