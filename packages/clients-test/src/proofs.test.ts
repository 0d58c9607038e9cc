import { enqueue, getJob, instrumentEnqueue, type Queryable } from '@duework/queue-core';
import { fromDrizzle, fromKysely, fromPg, fromPostgresJs } from '@duework/sql/adapters';
import { inTransaction } from '@duework/sql';
import { echo, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { PRISMA_VERSIONS } from './open/prisma-versions.js';

const database = useTestDatabase();
const countJobs = (): Promise<number> => database.db.jobRun.count();

let pool: pg.Pool;
beforeEach(async () => {
  pool = new pg.Pool({ connectionString: database.url });
  await database.db.$executeRaw`DELETE FROM duework.job_runs`;
});
afterEach(() => pool.end());

/** Of what `query` of pg is given first. */
const textOf = (given: unknown): string => (typeof given === 'string' ? given : (given as { text: string }).text);
const isProof = (text: string): boolean => text.includes('pg_current_xact_id');
const isEnqueue = (text: string): boolean => text.includes('duework.enqueue_1');
const kindsOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => (isProof(text) ? ['proof'] : isEnqueue(text) ? ['enqueue'] : []));

describe('where a statement can leave its transaction, the first one proves that it is inside', () => {
  const sendTwo = async (pass: () => Queryable): Promise<void> => {
    await enqueue(pass(), echo, { n: 1 });
    await enqueue(pass(), echo, { n: 2 });
  };

  test('Drizzle, adapted anew for each', async () => {
    const texts: string[] = [];
    const db = drizzle({ client: pool, logger: { logQuery: (text) => void texts.push(text) } });
    await db.transaction((tx) => sendTwo(() => fromDrizzle(tx, sql)));
    expect(kindsOf(texts)).toEqual(['proof', 'enqueue', 'enqueue']);
  });

  test('Kysely, adapted anew for each', async () => {
    const texts: string[] = [];
    const db = new Kysely({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void texts.push(query.sql) });
    await db.transaction().execute((trx) => sendTwo(() => fromKysely(trx)));
    expect(kindsOf(texts)).toEqual(['proof', 'enqueue', 'enqueue']);
  });

  test('a client of pg knows whether it is in one, and need not ask', async () => {
    const client = await pool.connect();
    const texts: string[] = [];
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => (texts.push(textOf(args[0])), query(...args))) as never;
    await client.query('BEGIN');
    await sendTwo(() => fromPg(client));
    await client.query('COMMIT');
    client.release();
    expect(kindsOf(texts)).toEqual(['enqueue', 'enqueue']);
    expect(await countJobs()).toBe(2);
  });

  test('Prisma 6.19, whose transactions lack $transaction', async () => {
    const prisma = PRISMA_VERSIONS['6.19']!(database.url);
    const leaving = prisma.$extends({ query: { $queryRaw: ({ args }) => prisma.$queryRaw(args) } });
    const left = leaving.$transaction((tx) => enqueue(tx, echo, { n: 1 }));
    await expect(left).rejects.toMatchObject({ code: 'not_in_transaction' });
    await prisma.$disconnect();
  });
});

test('a client of pg that says it is in a transaction, and has none open, enqueues nothing', async () => {
  const client = await pool.connect();
  const texts: string[] = [];
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => (texts.push(textOf(args[0])), query(...args))) as never;
  const tx = fromPg(client);
  await expect(enqueue(tx, echo, { n: 1 })).rejects.toMatchObject({ code: 'not_in_transaction' });
  await client.query('BEGIN');
  await enqueue(tx, echo, { n: 2 });
  await client.query('COMMIT');
  await expect(enqueue(tx, echo, { n: 3 })).rejects.toMatchObject({ code: 'not_in_transaction' });
  expect(await countJobs()).toBe(1);
  // the others were not even sent
  expect(kindsOf(texts)).toEqual(['enqueue']);
  client.release();
});

test('an enqueue is sent before the caller can end its transaction', async () => {
  const client = await pool.connect();
  await client.query('BEGIN');
  const forgotten = enqueue(fromPg(client), echo, { n: 1 });
  await client.query('ROLLBACK');
  await forgotten;
  expect(await countJobs()).toBe(0);
  client.release();
});

test('a hook of the process delays no enqueue: it is sent before the caller can end its transaction', async () => {
  instrumentEnqueue((jobs, send) => void send(jobs.map(() => ({ traceparent: 'added' }))));
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const forgotten = enqueue(fromPg(client), echo, { n: 1 });
    await client.query('ROLLBACK');
    await forgotten;
    expect(await countJobs()).toBe(0);
  } finally {
    instrumentEnqueue(null);
    client.release();
  }
});

test('a verb of several statements refuses a session without a transaction, and takes a pool', async () => {
  const client = await pool.connect();
  await expect(inTransaction(client, (tx) => enqueue(tx, echo, { n: 1 }))).rejects.toMatchObject({
    code: 'transaction_needed',
  });
  await client.query('BEGIN');
  await inTransaction(client, (tx) => enqueue(tx, echo, { n: 1 }));
  await client.query('ROLLBACK');
  client.release();
  const refused = inTransaction(pool, async (tx) => {
    await enqueue(tx, echo, { n: 1 });
    throw new Error('the second one was refused');
  });
  await expect(refused).rejects.toThrow('the second one was refused');
  expect(await countJobs()).toBe(0);
});

test('a driver that makes JSON of what is sent as JSON stores the payload as it was', async () => {
  const client = postgres(database.url, { onnotice: () => {} });
  const { id } = await enqueue(fromPostgresJs(client), echo, { n: 1 });
  expect((await getJob(database.db, id)).job.payload).toEqual({ n: 1 });
  await client.end();
});
