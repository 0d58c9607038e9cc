import { expect, test } from '@jest/globals';
import { startTestWorker } from '@duework/testing';
import { saveSchedule } from '../save-schedule.js';
import { catalog, note, useSchedules } from '../testing/use-schedules.js';

import { createTicker } from './create-ticker.js';

const { db } = useSchedules();

test('a worker fires each slot of a rule with seconds, each second once', async () => {
  await saveSchedule(db(), note, { key: 'often', cron: '* * * * * *', payload: { n: 1 }, overlap: 'allow' });
  const told: { readonly name: string; readonly slotAt?: Date }[] = [];
  const { worker, events } = await startTestWorker(db(), {
    catalog,
    handlers: { tidy: () => {}, note: () => {}, bill: () => {} },
    ticker: createTicker({ db: db(), catalog, worker: 'w', emit: (event) => told.push(event) }),
  });
  await events.waitFor('job.succeeded', 5);
  await worker.stop({ deadlineMs: 60_000 });
  const slots = told.flatMap(({ name, slotAt }) => (name === 'slot.fired' ? [slotAt!.getTime()] : []));
  expect(slots.length).toBeGreaterThanOrEqual(5);
  expect(slots.every((slot) => slot % 1_000 === 0)).toBe(true);
  expect(new Set(slots).size).toBe(slots.length);
});
