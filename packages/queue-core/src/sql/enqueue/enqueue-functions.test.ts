import { randomBytes } from 'node:crypto';
import { connectPg, connectPrisma, Prisma } from '@duework/database';
import { describe, expect, test } from '@jest/globals';
import { inTransaction, type Transactable } from '@duework/sql';
import { enqueue, enqueueMany, jobRequest } from '../../enqueue/enqueue.js';
import { cancelJob, findJobs, getJob, retryJob } from '../../queue/operate.js';
import { readQueueDepth } from '../claim/read-queue-depth.js';
import { charge, echo, useTestDatabase } from '@duework/testing/fixtures';

const database = useTestDatabase();
const run = async (...statements: string[]): Promise<void> => {
  for (const statement of statements) await database.db.$executeRaw(Prisma.raw(statement));
};
const both = [jobRequest(echo, { n: 1 }), jobRequest(echo, { n: 2 })];

describe('a program and a database of different ages', () => {
  test('a newer database has newer functions beside those that an older program calls', async () => {
    await run(
      `CREATE FUNCTION duework.enqueue_2(jsonb) RETURNS text LANGUAGE sql AS 'SELECT 1'`,
      `CREATE FUNCTION duework.enqueue_many_2(jsonb, text) RETURNS text LANGUAGE sql AS 'SELECT 1'`,
    );
    expect(await enqueue(database.db, charge, { invoice: 1 })).toMatchObject({ isDeduplicated: false });
    expect(await enqueueMany(database.db, both)).toHaveLength(2);
  });

  test.each<[string, string, string, string]>([
    ['the function', 'FUNCTION duework.enqueue_1', 'enqueue_0', 'duework.enqueue_1'],
    ['the function for batches', 'FUNCTION duework.enqueue_many_1', 'enqueue_many_0', 'duework.enqueue_many_1'],
    ['the schema', 'SCHEMA duework', 'elsewhere', 'the schema duework'],
  ])('a database that lacks %s is told by not_migrated', async (_, what, away, missing) => {
    const from = what.split(/[ .]/).at(-1)!;
    await run(`ALTER ${what} RENAME TO ${away}`);
    try {
      for (const db of [database.db, database.connectPg()]) {
        const refused = missing.includes('many') ? enqueueMany(db, both) : enqueue(db, echo, { n: 1 });
        await expect(refused).rejects.toMatchObject({
          code: 'not_migrated',
          facts: { missing },
          message: expect.stringContaining('npx duework migrate'),
        });
      }
    } finally {
      await run(`ALTER ${what.replace(new RegExp(`${from}$`), away)} RENAME TO ${from}`);
    }
  });

  test('every verb tells a database that was never migrated', async () => {
    await run('ALTER SCHEMA duework RENAME TO elsewhere');
    try {
      for (const db of [database.db, database.connectPg()])
        for (const verb of [getJob, findJobs, retryJob, cancelJob, readQueueDepth] as const)
          await expect((verb as (db: unknown, id: string) => Promise<unknown>)(db, '1')).rejects.toMatchObject({
            code: 'not_migrated',
          });
    } finally {
      await run('ALTER SCHEMA elsewhere RENAME TO duework');
    }
  });
});

describe('a role that may only call the functions', () => {
  /** The url of a new role, which has the rights that docs/how-to/roles.md gives by hand. */
  async function withProducer(act: (url: string) => Promise<void>): Promise<void> {
    const role = `producer_${randomBytes(6).toString('hex')}`;
    const url = new URL(database.url);
    url.username = role;
    url.password = 'secret';
    await run(
      `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`,
      `GRANT USAGE ON SCHEMA duework TO ${role}`,
      `GRANT EXECUTE ON FUNCTION duework.enqueue_1, duework.enqueue_many_1 TO ${role}`,
    );
    try {
      await act(url.toString());
    } finally {
      await run(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`);
    }
  }

  test.each([
    ['Prisma', connectPrisma],
    ['pg', connectPg],
  ])('enqueues alone, with a key, a duplicate and a batch, also in its own transactions: %s', async (name, connect) => {
    await withProducer(async (url) => {
      const db = connect({ url });
      await enqueue(db, echo, { n: 1 });
      const first = await enqueue(db, echo, { n: 1 }, { idempotencyKey: name });
      expect(await enqueue(db, echo, { n: 1 }, { idempotencyKey: name })).toEqual({ ...first, isDeduplicated: true });
      const batch = [...both, jobRequest(echo, { n: 3 }, { idempotencyKey: name })];
      const jobs = await inTransaction(db as Transactable, async (tx) => {
        await enqueue(tx, echo, { n: 4 });
        return enqueueMany(tx, batch);
      });
      expect(jobs.map(({ isDeduplicated }) => isDeduplicated)).toEqual([false, false, true]);
      await db.$disconnect();
    });
  });

  test.each([
    'SELECT payload FROM duework.job_runs',
    'SELECT payload FROM duework.jobs',
    'SELECT key FROM duework.job_keys',
    `UPDATE duework.job_runs SET payload = '{}'`,
    'DELETE FROM duework.job_runs',
    'DELETE FROM duework.job_keys',
    `INSERT INTO duework.job_alerts VALUES ('x', now(), '{}')`,
    'SELECT * FROM duework.find_run_status(1)',
    'SELECT duework.next_run_id()',
    'CREATE TABLE duework.job_keys_2 ()',
  ])('cannot do what it was not given: %s', async (statement) => {
    await withProducer(async (url) => {
      const db = connectPg({ url });
      await expect(db.$queryRaw(Prisma.raw(statement))).rejects.toMatchObject({ code: '42501' });
      await db.$disconnect();
    });
  });

  test('cannot give the functions words of its own', async () => {
    await withProducer(async (url) => {
      const db = connectPg({ url, poolSize: 1 });
      await run(`CREATE SCHEMA trap AUTHORIZATION ${new URL(url).username}`);
      for (const statement of [
        `CREATE FUNCTION trap.now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT '1970-01-01Z'::timestamptz $$`,
        'CREATE TEMP TABLE job_runs (id bigint)',
        'SET search_path = trap, pg_catalog',
      ])
        await db.$queryRaw(Prisma.raw(statement));
      expect((await enqueue(db, echo, { n: 1 })).runAt.getTime()).toBeGreaterThan(0);
      await db.$disconnect();
    });
  });

  test('and nobody else may call them', async () => {
    const rows = await database.db.$queryRaw<{ name: string }[]>`
      SELECT proname::text AS name FROM pg_proc
      WHERE pronamespace = 'duework'::regnamespace AND prosecdef AND (proacl IS NULL OR 0 IN (SELECT grantee FROM aclexplode(proacl)))`;
    expect(rows).toEqual([]);
  });
});
