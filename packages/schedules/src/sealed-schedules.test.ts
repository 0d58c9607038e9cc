import { randomBytes } from 'node:crypto';
import { defineCatalog, defineJob } from '@duework/contracts';
import { createKeyRing, getJob, setKeyRing, unsealPayload, type WorkerEvent } from '@duework/queue-core';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { checkSavedSchedules } from './check-saved-schedules.js';
import { triggerSchedule } from './operate-schedules.js';
import { getSchedule, saveSchedule } from './save-schedule.js';
import { due } from './due-times/due-template.js';
import { tickSchedules } from './tick/tick-schedules.js';
import { useSchedules } from './testing/use-schedules.js';

const { db, lag, minutesAgo, outcomes, runs } = useSchedules();
afterEach(() => setKeyRing(null));

const key = (): string => randomBytes(32).toString('base64');
const [k1, k2] = [key(), key()];
const only1 = createKeyRing({ current: 'k1', keys: { k1 } });
const both = createKeyRing({ current: 'k2', keys: { k1, k2 } });

const bill = defineJob({
  type: 'bill',
  payload: z.object({ iban: z.string(), day: z.iso.date() }),
  sensitive: ['/iban', '/day'],
});
const catalog = defineCatalog([bill]);
const options = { key: 'daily', cron: '* * * * *', payload: { iban: 'DE8937040044', day: due.date() } } as const;

test('a schedule keeps sensitive values encrypted, its templates among them, and makes runs that are', async () => {
  setKeyRing(both);
  const { payload } = await saveSchedule(db(), bill, options);
  expect(payload).toEqual({ iban: { $sealed: expect.stringMatching(/^k2:/) }, day: { $sealed: expect.any(String) } });
  await lag('daily', await minutesAgo(0));
  expect(await tickSchedules({ db: db(), catalog })).toMatchObject({ fired: 1 });
  const triggered = await triggerSchedule(db(), catalog, 'daily');
  const day = (await minutesAgo(0)).toISOString().slice(0, 10);
  for (const { payload: stored } of [...(await runs()), (await getJob(db(), triggered.id)).job]) {
    expect(JSON.stringify(stored)).not.toContain('DE89');
    expect(unsealPayload(bill, 1, stored)).toEqual({ iban: 'DE8937040044', day });
  }
});

test('a ticker without the key leaves the due time to another one and says so', async () => {
  setKeyRing(both);
  await saveSchedule(db(), bill, options);
  const dueAt = await minutesAgo(0);
  await lag('daily', dueAt);
  setKeyRing(only1);
  const events: WorkerEvent[] = [];
  expect(await tickSchedules({ db: db(), catalog, emit: (event) => void events.push(event) })).toMatchObject({
    fired: 0,
    skipped: 0,
  });
  expect(events).toEqual([
    expect.objectContaining({ name: 'schedule.failed', schedule: 'daily', code: 'key_missing' }),
  ]);
  expect(await outcomes('daily')).toEqual([]);
  expect((await getSchedule(db(), 'daily')).nextDueAt).toEqual(dueAt);
  expect(await checkSavedSchedules(db(), catalog)).toMatchObject([{ waiting: 1, sealed: 1, wouldNot: 0 }]);
  setKeyRing(both);
  await lag('daily', dueAt);
  expect(await tickSchedules({ db: db(), catalog })).toMatchObject({ fired: 1 });
  expect(await checkSavedSchedules(db(), catalog)).toMatchObject([{ waiting: 1, sealed: 0, wouldParse: 1 }]);
});
