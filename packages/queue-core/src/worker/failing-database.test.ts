import { expect, test } from '@jest/globals';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { getJob } from '../queue/operate.js';
import { complete, retry, snooze } from '../settle/outcome.js';
import { createPostgresStore } from '../store/postgres-store.js';
import { gate, useWorkers, work } from '@duework/testing/fixtures';

const { database, start } = useWorkers();

test('a kind of settlement that fails does not make another kind, already written, look lost', async () => {
  const real = createPostgresStore({ db: database.db });
  let failures = 2;
  const together = gate();
  let waiting = 0;
  const { events } = await start(
    async ({ payload }) => {
      if (++waiting === 2) together.open();
      await together.promise;
      return payload.n === 1 ? complete() : snooze('1h');
    },
    {
      store: {
        ...real,
        settle: (batch) =>
          batch[0]!.kind === 'snooze' && failures-- > 0 ? Promise.reject(new Error('cut')) : real.settle(batch),
      },
    },
  );
  await enqueueMany(
    database.db,
    [1, 2].map((n) => jobRequest(work, { n })),
  );
  await Promise.all([events.waitFor('job.succeeded'), events.waitFor('job.snoozed')]);
  expect(events.named('lease.lost')).toEqual([]);
});

test('a settlement is tried again and never turns a success into a failure', async () => {
  const real = createPostgresStore({ db: database.db });
  let failures = 3;
  let calls = 0;
  const { events } = await start(() => void calls++, {
    store: {
      ...real,
      settle: (batch) => (failures-- > 0 ? Promise.reject(new Error('the connection was cut')) : real.settle(batch)),
    },
  });
  const { id } = await enqueue(database.db, work, { n: 1 });
  await Promise.race([events.waitFor('job.succeeded'), events.waitFor('lease.lost')]);
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1 });
  expect(calls).toBe(1);
  expect(events.named('database.failed')).toMatchObject([{ during: 'settle' }]);
  expect(events.named('database.recovered')).toMatchObject([{ during: 'settle', failures: 3 }]);
});

test('a settlement that the database refuses fails alone', async () => {
  const together = gate();
  let waiting = 0;
  const { events } = await start(async ({ payload, run }) => {
    // the row has no attempt left, whatever its worker knows: such a run cannot wait for another attempt
    if (payload.n === 1)
      await database.db.$executeRaw`UPDATE duework.job_runs SET max_attempts = attempts WHERE id = ${BigInt(run.id)}`;
    if (++waiting === 2) together.open();
    await together.promise;
    return retry('the provider is busy', { delay: '2h' });
  });
  const [, sound] = await enqueueMany(
    database.db,
    [1, 2].map((n) => jobRequest(work, { n })),
  );
  await Promise.race([events.waitFor('job.failed'), events.waitFor('lease.lost')]);
  expect((await getJob(database.db, sound!.id)).job).toMatchObject({ status: 'failed', attempts: 1 });
});

test('a settlement whose answer was lost is recognised as written', async () => {
  const real = createPostgresStore({ db: database.db });
  let isCut = true;
  let calls = 0;
  const { events } = await start(() => void calls++, {
    store: {
      ...real,
      settle: async (batch) => {
        const settled = await real.settle(batch);
        if (!isCut) return settled;
        isCut = false;
        throw new Error('committed, but the answer never came');
      },
    },
  });
  const { id } = await enqueue(database.db, work, { n: 1 });
  await Promise.race([events.waitFor('job.succeeded'), events.waitFor('lease.lost')]);
  expect(events.named('lease.lost')).toEqual([]);
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1 });
  expect(calls).toBe(1);
});

test('claims that fail are tried again, and a failing cause is told at most once a second', async () => {
  const real = createPostgresStore({ db: database.db });
  let failures = 4;
  const { events } = await start(() => {}, {
    store: {
      ...real,
      claim: (request) => (failures-- > 0 ? Promise.reject(new Error('too many clients')) : real.claim(request)),
    },
  });
  await enqueue(database.db, work, { n: 1 });
  await events.waitFor('job.succeeded');
  expect(events.named('database.recovered')).toMatchObject([{ during: 'claim', failures: 4 }]);
  expect(events.named('database.failed').length).toBeLessThan(4);
});
