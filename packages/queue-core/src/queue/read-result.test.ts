import { defineCatalog, defineJob } from '@duework/contracts';
import { createFakeClock, startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Worker } from '../worker/create-worker.js';
import { DueworkError } from '@duework/sql/errors';
import type { Job } from './job.js';
import { openQueue } from './open-queue.js';
import { readResult } from './read-result.js';
import { bury, complete } from '../settle/outcome.js';

const count = defineJob({
  type: 'count',
  payload: z.object({ upTo: z.int() }),
  result: z.object({ total: z.int() }),
  progress: z.object({ done: z.int().min(0) }),
});
const other = defineJob({ type: 'other', payload: z.object({}) });
const stricter = { ...count, result: z.object({ total: z.string() }) };
const catalog = defineCatalog([count, other]);

const database = useTestDatabase();
let worker: Worker | undefined;
afterEach(async () => {
  await worker?.stop({ deadlineMs: 0 });
});

async function start(progress: unknown = null) {
  const started = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: {
      count: async (context) => {
        if (progress !== null) context.progress(progress as never);
        const { upTo } = context.payload;
        return upTo < 0 ? bury('negative', 'It is below 0') : complete({ total: (upTo * (upTo + 1)) / 2 });
      },
      other: () => {},
    },
  });
  worker = started.worker;
  return started;
}

/** The code and the facts with which a call is refused. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => (DueworkError.is(error) ? { code: error.code, facts: error.facts } : error),
  );

test('a result is read as its contract types it, as soon as the job has succeeded', async () => {
  const queue = openQueue(database.db);
  const { id } = await queue.enqueue(count, { upTo: 4 });
  expect(await refusal(queue.result(count, id))).toEqual({ code: 'job_not_finished', facts: { id, status: 'queued' } });
  const waiting = queue.result(count, id, { wait: '30s' });
  await start();
  const { total }: { total: number } = await waiting;
  expect(total).toBe(10);
  expect(await queue.result(count, id)).toEqual({ total: 10 });
});

test('a job without a result says why', async () => {
  const queue = openQueue(database.db);
  await start();
  const { id } = await queue.enqueue(count, { upTo: -1 });
  expect(await refusal(queue.result(count, id, { wait: '30s' }))).toEqual({
    code: 'job_failed',
    facts: { id, status: 'dead', reason: 'It is below 0' },
  });
  expect(await refusal(queue.result(count, '99'))).toMatchObject({ code: 'job_not_found' });
  expect(await refusal(queue.result(other, id))).toEqual({
    code: 'wrong_job_type',
    facts: { id, type: 'count', expected: 'other' },
  });
});

test('a result that another version of the contract has kept is refused, not passed on', async () => {
  const queue = openQueue(database.db);
  await start();
  const { id } = await queue.enqueue(count, { upTo: 1 });
  expect(await refusal(queue.result(stricter, id, { wait: '30s' }))).toMatchObject({
    code: 'invalid_result',
    facts: { issues: [{ pointer: '/total' }] },
  });
});

test('a wait ends with its signal, and throws its reason', async () => {
  const queue = openQueue(database.db);
  const { id } = await queue.enqueue(other, {});
  const controller = new AbortController();
  const waiting = refusal(queue.result(other, id, { wait: '1h', signal: controller.signal }));
  controller.abort(new Error('enough'));
  expect(await waiting).toEqual(new Error('enough'));
});

test('a progress that does not fit its contract is left out, and the work goes on', async () => {
  const queue = openQueue(database.db);
  const { id } = await queue.enqueue(count, { upTo: 2 });
  await start({ done: -1 });
  expect(await queue.result(count, id, { wait: '30s' })).toEqual({ total: 3 });
});

test('all who wait in a process look at the same moments, and so in one statement', async () => {
  const clock = createFakeClock();
  const looks = new Map<string, number[]>();
  const wait = (name: string) =>
    readResult(
      count,
      async () => {
        looks.set(name, [...(looks.get(name) ?? []), clock.monotonicMs()]);
        return { job: { type: 'count', finishedAt: null } as Job };
      },
      { wait: '20s' },
      clock,
    ).catch(() => {});
  const first = wait('first');
  await clock.advance(137);
  const second = wait('second');
  await clock.advance(25_000);
  await Promise.all([first, second]);
  const late = (name: string): number[] => looks.get(name)!.filter((at) => at > 5_000 && at < 20_000);
  expect(late('first')).toEqual(late('second'));
  expect(late('first')).toHaveLength(14);
});
