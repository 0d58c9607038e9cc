import { expect, test } from '@jest/globals';
import { startTestWorker } from '@duework/testing';
import { saveSchedule } from '../save-schedule.js';
import { catalog, note, useSchedules } from '../testing/use-schedules.js';

import { createTicker } from './create-ticker.js';

const { db } = useSchedules();

test('a worker fires each due time of a rule with seconds, each second once', async () => {
  await saveSchedule(db(), note, { key: 'often', cron: '* * * * * *', payload: { n: 1 }, overlap: 'allow' });
  const told: { readonly name: string; readonly dueAt?: Date }[] = [];
  const { worker, events } = await startTestWorker(db(), {
    catalog,
    handlers: { tidy: () => {}, note: () => {}, bill: () => {} },
    ticker: createTicker({ db: db(), catalog, worker: 'w', emit: (event) => told.push(event) }),
  });
  await events.waitFor('job.succeeded', 5);
  await worker.stop({ deadlineMs: 60_000 });
  const dueTimes = told.flatMap(({ name, dueAt }) => (name === 'schedule.fired' ? [dueAt!.getTime()] : []));
  expect(dueTimes.length).toBeGreaterThanOrEqual(5);
  expect(dueTimes.every((dueTime) => dueTime % 1_000 === 0)).toBe(true);
  expect(new Set(dueTimes).size).toBe(dueTimes.length);
});
