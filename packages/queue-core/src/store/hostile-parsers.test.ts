import { checkDatabase, connectPg, connectPrisma, parseDatabaseUrl } from '@duework/database';
import { migrateDatabase } from '@duework/database/migrate';
import { defineCatalog, defineJob } from '@duework/contracts';
import { fromPg } from '@duework/sql/adapters';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { heartbeatInThread } from '../leases/heartbeat-in-thread.js';
import { complete } from '../settle/outcome.js';
import { openQueue } from '../queue/open-queue.js';

const database = useTestDatabase();
const echo = defineJob({
  type: 'echo',
  payload: z.object({ n: z.int() }),
  result: z.object({ doubled: z.int() }),
  limits: [{ max: 1 }],
  durable: true,
});
const catalog = defineCatalog([echo]);

const HOSTILE = {
  parseInt8: true,
  parseInputDatesAsUTC: true,
  binary: true,
  query_timeout: 1,
  statement_timeout: 1,
  lock_timeout: 1,
  idle_in_transaction_session_timeout: 1,
};
type Oid = Parameters<typeof pg.types.getTypeParser>[0];
/** Those of arrays have no names there. */
const ARRAYS = [199, 1000, 1005, 1007, 1009, 1016, 1022, 1028, 1115, 1185, 1231, 3807];
const OIDS = [...Object.values(pg.types.builtins), ...ARRAYS] as unknown as Oid[];
const known = OIDS.map((oid) => [oid, pg.types.getTypeParser(oid)] as const);
const defaults = { ...pg.defaults };
const each = (set: typeof known): void => set.forEach(([oid, parse]) => pg.types.setTypeParser(oid, parse));

beforeAll(async () => {
  // of the application, which has opened it before: what it reads it has asked for
  await database.db.$queryRaw`SELECT 1`;
  each(OIDS.map((oid) => [oid, (theirs: string) => ({ theirs })] as const));
  Object.assign(pg.defaults, HOSTILE);
});
afterAll(() => {
  Object.assign(pg.defaults, defaults, { parseInt8: false, query_timeout: false, statement_timeout: false });
  each(known);
});

test.each(['pg', 'Prisma'] as const)(
  'a worker through %s reads its values itself, whatever the program has set on pg.types and pg.defaults',
  async (client) => {
    const db = { pg: connectPg, Prisma: connectPrisma }[client]({ url: database.url, poolSize: 4, role: 'engine' });
    const { worker, events } = await startTestWorker<typeof catalog>(db, {
      catalog,
      handlers: {
        echo: async ({ payload, step }) => complete(await step('double', () => ({ doubled: 2 * payload.n }))),
      },
      leases: heartbeatInThread({ ...parseDatabaseUrl(database.url), catalog }),
    });
    const queue = openQueue(db);
    const { id } = await queue.enqueue(echo, { n: 1 });
    for (let n = 2; n < 5; n++) await queue.enqueue(echo, { n });
    await events.waitFor('job.succeeded', 4);
    expect(await queue.result(echo, id)).toEqual({ doubled: 2 });
    const { job, attempts } = await queue.getJob(id);
    expect(job).toMatchObject({ status: 'succeeded', attempts: 1, createdAt: expect.any(Date), payload: { n: 1 } });
    expect(attempts).toEqual([]);
    await worker.stop({ deadlineMs: 0 });
    expect(events.named('database.failed')).toEqual([]);
    await db.$disconnect();
  },
);

test('what else a client of ours reads for the program is read as the program says', async () => {
  const db = connectPg({ url: database.url, poolSize: 1 });
  const rows = await db.$queryRaw({ text: 'SELECT 1.5::numeric AS price, 2::bigint AS n', values: [] });
  expect(rows).toEqual([{ price: { theirs: '1.5' }, n: 2n }]);
  await db.$disconnect();
});

test('a database is checked and migrated, whatever the program has set', async () => {
  const db = connectPg({ url: database.url, poolSize: 1 });
  await checkDatabase(db, database.url);
  await db.$disconnect();
  const { appliedMigrationNames, alreadyAppliedCount } = await migrateDatabase({ url: database.url });
  expect(appliedMigrationNames).toEqual([]);
  expect(alreadyAppliedCount).toBeGreaterThan(0);
});

test('what is asked through the application’s own client of pg is read as ever, whatever it has set', async () => {
  // its own limits are its own
  Object.assign(pg.defaults, { query_timeout: false, statement_timeout: false, lock_timeout: false });
  Object.assign(pg.defaults, { idle_in_transaction_session_timeout: false });
  const pool = new pg.Pool({ connectionString: database.url });
  const client = await pool.connect();
  await client.query('BEGIN');
  const { id } = await enqueue(fromPg(client), echo, { n: 7 });
  await client.query('COMMIT');
  client.release();
  const queue = openQueue(pool);
  expect((await queue.getJob(id)).job).toMatchObject({ payload: { n: 7 }, attempts: 0, createdAt: expect.any(Date) });
  expect((await queue.findJobs({ status: 'queued' })).jobs).toMatchObject([{ id }]);
  await queue.updateJob(id, { priority: 3 });
  expect(await queue.pauseQueue('default')).toMatchObject({ kind: 'queue', since: expect.any(Date) });
  expect(await queue.resumeQueue('default')).toMatchObject({ name: 'default' });
  expect(await queue.queueDepth()).toMatchObject([{ queue: 'default', type: 'echo' }]);
  expect(await queue.cancelJob(id)).toBe('cancelled');
  expect((await queue.getJob(id)).job).toMatchObject({ status: 'cancelled', priority: 3 });
  expect(await queue.freeKey(id)).toBe(false);
  await pool.end();
});
