import { charge, useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import { openQueue } from '../queue/open-queue.js';
import type { RawClient } from '@duework/sql';

const database = useTestDatabase();
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.job_keys`;
});

/** A client that keeps the values of each statement that enqueues. */
function recording(client: RawClient): RawClient & { readonly sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    $connect: () => {},
    $queryRaw: (statement: { sql: string; values: readonly unknown[] }) => {
      if (statement.sql.includes('duework.enqueue')) sent.push(statement.values.join(' '));
      return client.$queryRaw(statement as never);
    },
  } as never;
}

/** Calls `act` while an open transaction has taken the key of invoice 1, and returns the run that it commits. */
async function whileHeld(act: () => Promise<void>): Promise<string> {
  return database.connect({ poolSize: 1 }).$transaction(async (tx) => {
    const { id } = await openQueue(tx).enqueue(charge, { invoice: 1 });
    await act();
    return id;
  });
}

async function untilOneWaits(): Promise<void> {
  for (;;) {
    const [row] = await database.db.$queryRaw<[{ count: number }]>`
      SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    if (row.count > 0) return;
  }
}

test('calls of one key that arrive together share a statement: one makes the run, and the others are its duplicates', async () => {
  const db = recording(database.db);
  const queue = openQueue(db);
  const jobs = await Promise.all([1, 1, 1].map((invoice) => queue.enqueue(charge, { invoice })));
  expect(jobs.map(({ isDeduplicated }) => isDeduplicated)).toEqual([false, true, true]);
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
  expect(db.sent).toHaveLength(1);
});

test('calls whose key an open transaction has taken hold one connection in all', async () => {
  const db = recording(database.db);
  const queue = openQueue(db);
  let calls: Promise<{ id: string; isDeduplicated: boolean }>[] = [];
  const id = await whileHeld(async () => {
    calls = Array.from({ length: 5 }, () => queue.enqueue(charge, { invoice: 1 }));
    await untilOneWaits();
    calls.push(queue.enqueue(charge, { invoice: 1 }));
    expect(db.sent).toHaveLength(1);
  });
  for (const job of await Promise.all(calls)) expect(job).toMatchObject({ id, isDeduplicated: true });
  expect(db.sent).toHaveLength(2);
});

test('calls of different keys share a statement through a client that does not wait for locks', async () => {
  const db = recording(database.db);
  const noWait = recording(database.connect({ poolSize: 1 }));
  const queue = openQueue(db, { noWait });
  const jobs = await Promise.all([1, 2, 3, 2].map((invoice) => queue.enqueue(charge, { invoice })));
  expect(jobs.map(({ isDeduplicated }) => isDeduplicated)).toEqual([false, false, false, true]);
  expect(jobs[3]!.id).toBe(jobs[1]!.id);
  expect([noWait.sent.length, db.sent.length]).toEqual([1, 0]);
});

test('a shared statement that meets a key of an open transaction keeps nobody else waiting, and meets it once', async () => {
  const noWait = recording(database.connect({ poolSize: 1 }));
  const queue = openQueue(database.db, { noWait });
  const held: Promise<unknown>[] = [];
  const id = await whileHeld(async () => {
    const charges = (...invoices: number[]) => invoices.map((invoice) => queue.enqueue(charge, { invoice }));
    const [first, ...others] = charges(1, 2, 3);
    first!.catch(() => {});
    held.push(first!);
    expect((await Promise.allSettled(others)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    const [again, another] = charges(1, 4);
    held.push(again!);
    expect(await another).toMatchObject({ isDeduplicated: false });
    expect(noWait.sent).toHaveLength(2);
    expect(noWait.sent[1]).toContain('charge:4');
    expect(noWait.sent[1]).not.toContain('charge:1');
  });
  for (const job of await Promise.all(held)) expect(job).toMatchObject({ id, isDeduplicated: true });
  // nobody waits for the key any more, so it is in a shared statement again
  await queue.enqueue(charge, { invoice: 1 });
  expect(noWait.sent).toHaveLength(3);
});

test('a shared statement that meets a held key writes no line of the server’s log', async () => {
  const noWait = database.connect({ poolSize: 1 });
  const queue = openQueue(database.db, { noWait });
  const [{ pid }] = await noWait.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
  const held: Promise<unknown>[] = [];
  await whileHeld(async () => {
    const [first, other] = [1, 2].map((invoice) => queue.enqueue(charge, { invoice }));
    held.push(first!);
    expect(await other).toMatchObject({ isDeduplicated: false });
  });
  await Promise.all(held);
  // what the same session does wrong is in the log
  await expect(noWait.$queryRaw`SELECT 1 / 0 AS none`).rejects.toThrow('division by zero');
  const [{ log }] = await database.db.$queryRaw<[{ log: string }]>`
    SELECT pg_read_file(current_setting('data_directory') || '/server.log') AS log`;
  const lines = log.split('\n').filter((line) => line.includes(`[${pid}]`) && line.includes('ERROR'));
  expect(lines).toEqual([expect.stringContaining('division by zero')]);
});

test('a run with a key that the database refuses fails alone', async () => {
  await database.db
    .$executeRaw`ALTER TABLE duework.job_runs ADD CONSTRAINT unlucky CHECK (payload ->> 'invoice' <> '13')`;
  const noWait = database.connect({ poolSize: 1 });
  const queue = openQueue(database.db, { noWait });
  const settled = await Promise.allSettled([12, 13, 14].map((invoice) => queue.enqueue(charge, { invoice })));
  await database.db.$executeRaw`ALTER TABLE duework.job_runs DROP CONSTRAINT unlucky`;
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
