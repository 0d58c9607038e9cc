import { enqueueMany, jobRequest } from '@duework/queue-core';
import { emptyTables, useWorkers, work } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';

const { database, start } = useWorkers();
afterEach(() => emptyTables(database.db, 'queue_slots'));

const set = (slots: number) => database.db.$executeRaw`
  INSERT INTO duework.queue_slots (queue, slots) VALUES ('default', ${slots})
  ON CONFLICT (queue) DO UPDATE SET slots = excluded.slots`;
const add = (count: number) =>
  enqueueMany(
    database.db,
    Array.from({ length: count }, (_, n) => jobRequest(work, { n })),
  );

/** A worker of 2 slots whose jobs each end when they are let go. */
async function startHeld() {
  const running: (() => void)[] = [];
  let most = 0;
  let begun = 0;
  const waiters = new Set<() => void>();
  const { worker, events } = await start(
    async () => {
      begun++;
      await new Promise<void>((end) => {
        running.push(end);
        most = Math.max(most, running.length);
        for (const told of [...waiters]) told();
      });
    },
    { concurrency: 2, maintenance: { rescueIntervalMs: 20 } },
  );
  return {
    worker,
    events,
    running,
    begun: () => begun,
    most: () => most,
    async until(isTrue: () => boolean) {
      while (!isTrue())
        await new Promise<void>((told) => {
          const tell = (): void => {
            waiters.delete(tell);
            told();
          };
          waiters.add(tell);
        });
    },
    end: (count: number) => {
      for (const end of running.splice(0, count)) end();
    },
  };
}

test('a worker runs as many jobs at once as an operator sets, says so, and what was declared once that is taken back', async () => {
  const { worker, events, running, until, end, begun } = await startHeld();
  await add(8);
  await until(() => running.length === 2);
  await set(5);
  expect(await events.waitFor('worker.resized')).toMatchObject([{ slots: 5, before: 2, declared: 2 }]);
  await until(() => running.length === 5);
  expect(worker.activity()).toMatchObject({ running: 5, concurrency: 5 });
  await database.db.$executeRaw`DELETE FROM duework.queue_slots`;
  expect((await events.waitFor('worker.resized', 2))[1]).toMatchObject({ slots: 2, before: 5, declared: 2 });
  end(5);
  await until(() => begun() === 7);
  expect(worker.activity().running).toBe(2);
  end(2);
  await until(() => begun() === 8);
  end(1);
});

test('where it is to run fewer, what runs goes on, and nothing begins above the bound', async () => {
  const { worker, events, running, until, end, begun } = await startHeld();
  await set(4);
  await events.waitFor('worker.resized');
  await add(9);
  await until(() => running.length === 4);
  await set(1);
  await events.waitFor('worker.resized', 2);
  expect(worker.activity()).toMatchObject({ running: 4, concurrency: 1 });
  end(3);
  await events.waitFor('job.succeeded', 3);
  expect([begun(), worker.activity().running]).toEqual([4, 1]);
  for (let next = 5; next <= 9; next++) {
    end(1);
    await until(() => begun() === next);
    expect(worker.activity().running).toBe(1);
  }
  end(1);
});

test('it tells the database at once how many it runs, and how many it was given', async () => {
  const { events } = await startHeld();
  await set(7);
  await events.waitFor('worker.resized');
  for (;;) {
    const [row] = await database.db.$queryRaw<{ slots: number; declared_slots: number }[]>`
      SELECT slots, declared_slots FROM duework.worker_contracts`;
    if (row?.slots === 7) return expect(row.declared_slots).toBe(2);
  }
});
