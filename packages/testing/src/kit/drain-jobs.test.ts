import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { Prisma, type PgClient, type PrismaClient } from '@duework/database';
import {
  bury,
  enqueue,
  enqueueMany,
  getJob,
  jobRequest,
  snooze,
  type Handlers,
  type RawClient,
} from '@duework/queue-core';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { useTestDatabase } from '../fixtures/use-test-database.js';
import { assertEnqueued } from './assert-enqueued.js';
import { drain } from './drain-jobs.js';

const payload = z.object({ n: z.int() });
const first = defineJob({ type: 'first', payload, retry: fixed('1h') });
const second = defineJob({ type: 'second', payload, priority: 9 });
const foreign = defineJob({ type: 'foreign', payload });
const catalog = defineCatalog([first, second]);
const nothing = { succeeded: 0, failed: 0, dead: 0, snoozed: 0, cancelled: 0, released: 0, left: 0, lost: 0 };

const database = useTestDatabase();
const raw = (db: RawClient, statement: Prisma.Sql): Promise<unknown> =>
  Promise.resolve(db.$queryRaw(statement as never));

type Act = (tx: RawClient) => Promise<void>;
async function rolledBack(client: PrismaClient | PgClient, act: Act): Promise<void> {
  const over = new Error('over');
  const run = async (tx: RawClient): Promise<void> => {
    await act(tx);
    throw over;
  };
  await expect((client as PrismaClient).$transaction(run as never, { timeout: 30_000 })).rejects.toBe(over);
  expect(await database.db.jobRun.count()).toBe(0);
  expect(await database.db.$queryRaw`SELECT 1 FROM duework.job_history LIMIT 1`).toEqual([]);
}

describe('a drain on a database', () => {
  test('runs what is due, and what its handlers enqueue, until nothing of the catalog is left', async () => {
    const ran: string[] = [];
    const handlers: Handlers<typeof catalog> = {
      first: async ({ payload: { n } }) => {
        ran.push(`first ${n}`);
        await enqueue(database.db, second, { n });
      },
      second: ({ payload: { n } }) => void ran.push(`second ${n}`),
    };
    await enqueueMany(database.db, [
      jobRequest(first, { n: 1 }),
      jobRequest(foreign, { n: 1 }),
      jobRequest(second, { n: 2 }, { delay: '1h' }),
    ]);
    expect(await drain(database.db, { catalog, handlers })).toEqual({ ...nothing, succeeded: 2 });
    expect(ran).toEqual(['first 1', 'second 1']);
    expect(await drain(database.db, { catalog, handlers, untilEmpty: true })).toEqual({ ...nothing, succeeded: 1 });
    expect(ran).toEqual(['first 1', 'second 1', 'second 2']);
    await raw(database.db, Prisma.sql`TRUNCATE duework.job_runs, duework.job_history`);
  });
});

describe.each<[string, () => PrismaClient | PgClient]>([
  ['Prisma', () => database.db],
  ['pg', () => database.connectPg()],
])('a drain in a transaction that is rolled back: %s', (_, connect) => {
  test('runs what the transaction has enqueued, one after the other, and commits nothing', () =>
    rolledBack(connect(), async (tx) => {
      const ran: string[] = [];
      let running = 0;
      const note = async (what: string): Promise<void> => {
        expect(++running).toBe(1);
        ran.push(what);
        await raw(tx, Prisma.sql`SELECT pg_sleep(0.01)::text`);
        running--;
      };
      const handlers: Handlers<typeof catalog> = {
        first: async ({ payload: { n } }) => {
          await note(`first ${n}`);
          await enqueue(tx, second, { n });
        },
        second: ({ payload: { n } }) => note(`second ${n}`),
      };
      await enqueueMany(
        tx,
        [3, 1, 2].map((n) => jobRequest(first, { n })),
      );
      expect(await drain(tx, { catalog, handlers })).toEqual({ ...nothing, succeeded: 6 });
      expect(ran).toEqual(['first 3', 'first 1', 'first 2', 'second 3', 'second 1', 'second 2']);
      expect(await assertEnqueued(tx, second, { count: 3 })).toMatchObject([{ status: 'succeeded' }, {}, {}]);
    }));

  test('retries and snoozes where they are asked for', () =>
    rolledBack(connect(), async (tx) => {
      const handlers: Handlers<typeof catalog> = {
        first: ({ attempt }) => {
          if (attempt < 3) throw new Error('not yet');
        },
        second: ({ run }) => (run.fence === 1 ? snooze('1h') : bury('GONE', 'nobody')),
      };
      await enqueueMany(tx, [
        jobRequest(first, { n: 1 }),
        jobRequest(second, { n: 1 }),
        jobRequest(second, { n: 2 }, { delay: '2h' }),
      ]);
      expect(await drain(tx, { catalog, handlers })).toEqual({ ...nothing, failed: 1, snoozed: 1 });
      expect(await drain(tx, { catalog, handlers, untilEmpty: true })).toEqual({
        ...nothing,
        failed: 1,
        succeeded: 1,
        snoozed: 1,
        dead: 2,
      });
    }));

  test('completes runs and does effects in it', () =>
    rolledBack(connect(), async (tx) => {
      let effects = 0;
      const handlers: Handlers<typeof catalog> = {
        first: async ({ completeIn }) => {
          await raw(
            tx,
            Prisma.sql`INSERT INTO duework.job_alerts (name, raised_at, facts) VALUES ('test', now(), '{}')`,
          );
          await completeIn(tx);
        },
        second: async ({ once, attempt }) => {
          await once('count', () => ++effects);
          if (attempt === 1) throw new Error('after its effect');
        },
      };
      await enqueueMany(tx, [jobRequest(first, { n: 1 }), jobRequest(second, { n: 1 })]);
      expect(await drain(tx, { catalog, handlers, untilEmpty: true })).toEqual({ ...nothing, succeeded: 2, failed: 1 });
      expect(effects).toBe(1);
      expect(await raw(tx, Prisma.sql`SELECT name FROM duework.job_alerts`)).toEqual([{ name: 'test' }]);
    }));

  test('survives a statement that fails in a handler: that attempt is undone and retried, all others stay', () =>
    rolledBack(connect(), async (tx) => {
      await raw(tx, Prisma.sql`CREATE TABLE notes (note text)`);
      const handlers: Handlers<typeof catalog> = {
        first: async ({ payload: { n } }) => {
          await raw(tx, Prisma.sql`INSERT INTO notes VALUES (${`note ${n}`})`);
          if (n === 1) await raw(tx, Prisma.sql`SELECT 1 / 0`);
          if (n === 2) throw new Error('and its note stays');
        },
        second: () => {},
      };
      const jobs = await enqueueMany(
        tx,
        [0, 1, 2, 3].map((n) => jobRequest(first, { n })),
      );
      expect(await drain(tx, { catalog, handlers })).toMatchObject({ succeeded: 2 });
      expect(await raw(tx, Prisma.sql`SELECT note FROM notes ORDER BY note`)).toEqual([
        { note: 'note 0' },
        { note: 'note 2' },
        { note: 'note 3' },
      ]);
      expect((await getJob(tx, jobs[1]!.id)).job).toMatchObject({ status: 'failed', errorCode: '22012' });
      expect((await getJob(tx, jobs[2]!.id)).job).toMatchObject({ status: 'failed', attempts: 1 });
    }));

  test('tells what is left where a handler does not end', () =>
    rolledBack(connect(), async (tx) => {
      await enqueue(tx, first, { n: 1 });
      const handlers: Handlers<typeof catalog> = { first: () => new Promise(() => {}), second: () => {} };
      await expect(drain(tx, { catalog, handlers, timeoutMs: 100 })).rejects.toThrow(
        /did not end within 100 ms.*Still running here: first/,
      );
    }));
});
