import { defineCatalog, defineJob } from '@duework/contracts';
import { cancelJob, enqueue, type Queryable } from '@duework/queue-core';
import { recogniseClient } from '@duework/sql';
import { createFakeClock } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { JobState } from './job-state.js';
import { JobWatch } from './job-watch.js';
import { readJobStates } from './sql/read-job-states.js';

const greet = defineJob({ type: 'greet', payload: z.object({}) });
defineCatalog([greet]);
const database = useTestDatabase();

const statements = { asked: 0 };
let isAway = false;
const errors: unknown[] = [];
beforeEach(() => {
  statements.asked = errors.length = 0;
  isAway = false;
});

/** A watch on a clock that only the test moves. */
function openWatch(): { watch: JobWatch; look: () => Promise<void>; rest: () => Promise<void> } {
  const client = recogniseClient(database.db);
  const db = new Proxy(client, {
    get(target, name) {
      if (name !== '$queryRaw') return Reflect.get(target, name) as unknown;
      return (...given: Parameters<typeof client.$queryRaw>) => {
        statements.asked += 1;
        return isAway ? Promise.reject(new Error('away')) : target.$queryRaw(...given);
      };
    },
  }) as Queryable;
  const clock = createFakeClock();
  const watch = new JobWatch({
    readStates: (ids) => readJobStates(db, ids),
    clock,
    everyMs: 500,
    onError: (error) => errors.push(error),
  });
  return {
    watch,
    /** Moves the clock until one more statement was sent. */
    async look() {
      const before = statements.asked;
      while (statements.asked === before) await clock.advance(5);
    },
    /** A minute passes. */
    rest: () => clock.advance(60_000),
  };
}

/** Keeps what it was told; `next` waits for one more. */
function listen(): { told: (JobState | null)[]; tell: (state: JobState | null) => void; next: () => Promise<void> } {
  const told: (JobState | null)[] = [];
  let go = (): void => {};
  let count = 0;
  return {
    told,
    tell: (state) => (told.push(state), go()),
    next: async () => {
      count += 1;
      if (told.length < count) await new Promise<void>((resolve) => (go = resolve));
    },
  };
}

test('every listener gets the state now and each change, by one statement for all jobs', async () => {
  const { watch, look } = openWatch();
  const jobs = await Promise.all(Array.from({ length: 20 }, () => enqueue(database.db, greet, {})));
  const listeners = jobs.flatMap(({ id }) => [id, id]).map((id) => ({ id, ...listen() }));
  for (const { id, tell } of listeners) watch.watch(id, tell);
  await look();
  await Promise.all(listeners.map(({ next }) => next()));
  expect(statements.asked).toBe(1);
  for (const { told } of listeners) expect(told).toEqual([expect.objectContaining({ status: 'queued' })]);

  await cancelJob(database.db, jobs[0]!.id);
  await look();
  await Promise.all(listeners.slice(0, 2).map(({ next }) => next()));
  expect(statements.asked).toBe(2);
  expect(listeners.map(({ told }) => told.length)).toEqual([2, 2, ...Array(38).fill(1)]);
  expect(listeners[0]!.told[1]).toMatchObject({ status: 'cancelled', finishedAt: expect.stringMatching(/Z$/) });
});

test('who comes later is told at once of what is known already', async () => {
  const { watch, look } = openWatch();
  const { id } = await enqueue(database.db, greet, {});
  const [first, second] = [listen(), listen()];
  watch.watch(id, first.tell);
  await look();
  await first.next();
  watch.watch(id, second.tell);
  expect(second.told).toEqual(first.told);
});

test('nobody asks the database while nobody listens', async () => {
  const { watch, look, rest } = openWatch();
  const { id } = await enqueue(database.db, greet, {});
  const { tell, next, told } = listen();
  const stop = watch.watch(id, tell);
  await look();
  await next();
  stop();
  const before = statements.asked;
  await rest();
  expect(statements.asked).toBe(before);
  const stopAgain = watch.watch(id, tell);
  await look();
  await next();
  expect(told).toHaveLength(2);
  stopAgain();
});

test('a look that fails is told, and the next one goes on', async () => {
  const { watch, look } = openWatch();
  const { id } = await enqueue(database.db, greet, {});
  const { tell, next, told } = listen();
  isAway = true;
  watch.watch(id, tell);
  await look();
  await look();
  expect(errors.length).toBeGreaterThanOrEqual(1);
  isAway = false;
  await look();
  await next();
  expect(told).toEqual([expect.objectContaining({ id })]);
});

test('a job that is not there is told as null, once', async () => {
  const { watch, look } = openWatch();
  const { tell, next, told } = listen();
  watch.watch('99', tell);
  await look();
  await next();
  await look();
  await look();
  expect(told).toEqual([null]);
});
