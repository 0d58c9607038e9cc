import { defineCatalog, defineJob, fixed, type Duration } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import { systemClock } from './clock.js';
import { enqueue } from './enqueue/enqueue.js';
import { getJob, updateJob } from './queue/operate.js';
import type { Handler } from './run/handler.js';
import { retry, snooze } from './settle/outcome.js';
import type { Worker } from './worker/create-worker.js';

const DAY_MS = 86_400_000;
const LONG: Duration = '90d';
const database = useTestDatabase();
const payload = z.object({});
const remind = defineJob({
  type: 'remind',
  payload,
  expiresAfter: LONG,
  retryFor: '3650d',
  timeout: LONG,
  lease: LONG,
  maxWait: LONG,
  retry: fixed(LONG),
  idempotencyKey: () => 'monthly',
  idempotencyWindow: LONG,
  rate: { max: 5, burst: 5, per: LONG },
});
const quarterly = defineJob({ type: 'quarterly', payload, unique: { by: () => 'report', per: LONG } });
const catalog = defineCatalog([remind, quarterly]);

const workers: Worker[] = [];
afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

async function start(handler: Handler<typeof remind>) {
  const started = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { remind: handler, quarterly: () => {} },
  });
  workers.push(started.worker);
  return started;
}
const daysUntil = (moment: Date): number => (moment.getTime() - Date.now()) / DAY_MS;

test('durations of 90 days are taken by every option of a contract and of a job, and by every outcome', async () => {
  const later = await enqueue(database.db, remind, {}, { delay: LONG });
  expect(daysUntil((await getJob(database.db, later.id)).job.runAt)).toBeCloseTo(90, 1);
  await updateJob(database.db, later.id, { delay: '3000d' });
  expect(daysUntil((await getJob(database.db, later.id)).job.runAt)).toBeCloseTo(3_000, 1);

  const { events } = await start(({ run }) =>
    run.idempotencyKey === 'snoozes' ? snooze(LONG) : retry('x', { delay: '100d' }),
  );
  const snoozes = await enqueue(database.db, remind, {}, { idempotencyKey: 'snoozes' });
  const retries = await enqueue(database.db, remind, {}, { idempotencyKey: 'retries' });
  await Promise.all([events.waitFor('job.snoozed'), events.waitFor('job.failed')]);
  expect(daysUntil((await getJob(database.db, snoozes.id)).job.runAt)).toBeGreaterThanOrEqual(89.9);
  expect(daysUntil((await getJob(database.db, retries.id)).job.runAt)).toBeGreaterThanOrEqual(99.9);
});

test('a unique job of 90 days is there once', async () => {
  const first = await enqueue(database.db, quarterly, {});
  expect(await enqueue(database.db, quarterly, {})).toMatchObject({ id: first.id, isDeduplicated: true });
});

test('a timer of 90 days waits for 90 days, although one of Node waits for 24.8', () => {
  jest.useFakeTimers();
  const onTime = jest.fn();
  systemClock.after(90 * DAY_MS, onTime);
  const cancelled = jest.fn();
  const cancel = systemClock.after(90 * DAY_MS, cancelled);
  jest.advanceTimersByTime(50 * DAY_MS);
  cancel();
  jest.advanceTimersByTime(40 * DAY_MS - 1);
  expect(onTime).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(onTime).toHaveBeenCalledTimes(1);
  expect(cancelled).not.toHaveBeenCalled();
});
