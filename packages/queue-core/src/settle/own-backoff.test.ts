import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { silentLog, startTestWorker } from '@duework/testing';
import { untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import type { Worker } from '../worker/create-worker.js';
import { retry } from './outcome.js';
import type { AttemptFailure, Backoff } from './own-backoff.js';

const database = useTestDatabase();
const call = defineJob({ type: 'call', payload: z.object({}), retry: fixed('1h'), maxAttempts: 3, timeout: '1s' });
const other = defineJob({ type: 'other', payload: z.object({}), retry: fixed('1h') });
const catalog = defineCatalog([call, other]);
const HOUR_MS = 3_600_000;

class Busy extends Error {
  override readonly name = 'Busy';
  readonly code = 'busy';
  readonly headers = { 'retry-after': '120' };
}
const throwBusy = (): never => {
  throw new Busy('come back later');
};

let worker: Worker | undefined;
afterEach(() => worker?.stop({ deadlineMs: 0 }));

/** The delay of a job after its first attempt, and what was asked and warned. */
async function failOnce(backoff: Backoff | undefined, handler: () => unknown = throwBusy, contract = call) {
  const warned: object[] = [];
  const asked: [number, AttemptFailure][] = [];
  ({ worker } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { call: handler as never, other: handler as never },
    ...(backoff === undefined
      ? {}
      : {
          backoffs: {
            call: (attempt: number, failure: AttemptFailure) => {
              asked.push([attempt, failure]);
              return backoff(attempt, failure);
            },
          },
        }),
    logOf: () => ({ ...silentLog, warn: (facts) => void warned.push(facts) }),
  }));
  const { id } = await enqueue(database.db, contract, {});
  const { runAt, failedAt } = await untilJob(database.db, id, { status: 'failed' });
  return { delayMs: runAt.getTime() - failedAt!.getTime(), asked, warned };
}

test('the backoff of a type decides by the attempt and what was thrown, up to a fifth later', async () => {
  const { delayMs, asked, warned } = await failOnce(
    (attempt, { error }) => attempt * Number((error as Busy).headers['retry-after']) * 1_000,
  );
  expect(delayMs).toBeGreaterThanOrEqual(120_000);
  expect(delayMs).toBeLessThanOrEqual(144_000);
  expect(asked).toEqual([[1, { code: 'busy', type: 'Busy', message: 'come back later', error: expect.any(Busy) }]]);
  expect(warned).toEqual([]);
});

test.each([
  ['null', () => null],
  ['nothing', () => undefined],
])('a backoff that says %s leaves it to the contract, in silence', async (_, backoff) => {
  const { delayMs, warned } = await failOnce(backoff);
  expect(delayMs).toBeGreaterThanOrEqual(0.8 * HOUR_MS);
  expect(warned).toEqual([]);
});

test.each<[string, () => unknown, string]>([
  ['throws', throwBusy, 'come back later'],
  ['says NaN', () => Number.NaN, 'NaN'],
  ['says Infinity', () => Infinity, 'Infinity'],
  ['says less than nothing', () => -1, '-1'],
  ['says more than ten years', () => 3_651 * 86_400_000, '3650'],
  ['says a text', () => '10s', '10s'],
  ['is async', () => Promise.resolve(1), 'number of milliseconds'],
])('a backoff that %s leaves it to the contract, and the log is told', async (_, backoff, told) => {
  const { delayMs, warned } = await failOnce(backoff as Backoff);
  expect(delayMs).toBeGreaterThanOrEqual(0.8 * HOUR_MS);
  expect(warned).toHaveLength(1);
  if (told !== '3650') expect((warned[0] as { error: string }).error).toContain(told);
});

test('a timeout and retry() without a delay are asked about, too; retry() with one, and other types, are not', async () => {
  const timeout = await failOnce(
    () => 60_000,
    () => new Promise(() => {}),
  );
  expect(timeout.asked).toMatchObject([[1, { code: 'timeout', error: undefined }]]);
  expect(timeout.delayMs).toBeLessThanOrEqual(72_000);
  await worker!.stop({ deadlineMs: 0 });
  const returned = await failOnce(
    () => 60_000,
    () => retry('not yet', { code: 'not_yet' }),
  );
  expect(returned.asked).toMatchObject([[1, { code: 'not_yet', message: 'not yet' }]]);
  await worker!.stop({ deadlineMs: 0 });
  const delayed = await failOnce(
    () => 60_000,
    () => retry('not yet', { delay: '2h' }),
  );
  expect([delayed.asked, delayed.delayMs >= 2 * HOUR_MS]).toEqual([[], true]);
  await worker!.stop({ deadlineMs: 0 });
  expect(await failOnce(() => 60_000, throwBusy, other as never)).toMatchObject({ asked: [] });
});
