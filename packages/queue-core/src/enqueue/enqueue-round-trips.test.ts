import { defineJob } from '@duework/contracts';
import { PrismaClient } from '@duework/database';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { z } from 'zod';
import { enqueue, enqueueMany, jobRequest } from './enqueue.js';
import type { RawClient } from '@duework/sql';
import { charge, echo, emptyTables, useTestDatabase } from '@duework/testing/fixtures';

const database = useTestDatabase();
/** The statements that were sent, one a round trip, by their first words. */
const sent: string[] = [];
let db: PrismaClient;

const ONE = 'SELECT duework.enqueue_1';
const MANY = 'SELECT duework.enqueue_many_1';
const PROOF = 'SELECT pg_current_xact_id';
const gated = defineJob({ type: 'gated', payload: z.object({ n: z.int() }), limits: [{ by: 'n', max: 1 }] });
const inTransaction = (...statements: string[]): string[] => ['BEGIN', ...statements, 'COMMIT'];

class Counting extends pg.Client {
  override query(...args: unknown[]): never {
    const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text;
    sent.push(text.split(/[(;]/)[0]!);
    return super.query(...(args as [string])) as never;
  }
}

beforeEach(async () => {
  // as somebody has it who configured nothing
  db = new PrismaClient({ adapter: new PrismaPg({ connectionString: database.url, Client: Counting, max: 1 }) });
  await emptyTables(database.db, 'job_runs, job_keys');
  await db.$connect();
  await db.$queryRaw`SELECT 1`;
  sent.length = 0;
});
afterEach(() => db.$disconnect());

describe('an enqueue is one round trip', () => {
  test.each<[string, (on: RawClient) => Promise<unknown>, string]>([
    ['alone', (on) => enqueue(on, echo, { n: 1 }), ONE],
    ['with a key', (on) => enqueue(on, charge, { invoice: 1 }), ONE],
    ['of a run that stands in line', (on) => enqueue(on, gated, { n: 1 }), ONE],
    ['in a batch', (on) => enqueueMany(on, [jobRequest(echo, { n: 1 }), jobRequest(charge, { invoice: 1 })]), MANY],
  ])('%s, its repetition, and both again in a transaction', async (_, act, statement) => {
    await act(db);
    await act(db);
    expect(sent.splice(0)).toEqual([statement, statement]);
    await db.$transaction(async (tx) => {
      await act(tx);
      await act(tx);
    });
    expect(sent).toEqual(inTransaction(statement, statement));
  });

  test('in a transaction of connectPg', async () => {
    const client = database.connectPg();
    const texts: string[] = [];
    await client.$transaction(async (tx) => {
      const watched: RawClient = {
        ...tx,
        $queryRaw: (query) => {
          texts.push(query.text.split('(')[0]!);
          return tx.$queryRaw(query);
        },
      };
      await enqueue(watched, echo, { n: 1 });
    });
    expect(texts).toEqual([ONE]);
  });
});

describe('the proof that an enqueue joined its transaction', () => {
  const proven = inTransaction(PROOF, ONE, ONE);
  const unproven = inTransaction(ONE, ONE);
  class Service extends PrismaClient {}
  class Logging extends PrismaClient {
    override $queryRaw(...args: Parameters<PrismaClient['$queryRaw']>): never {
      return super.$queryRaw(...args) as never;
    }
  }
  const connectAs = (Client: typeof PrismaClient): PrismaClient => {
    const client = new Client({ adapter: new PrismaPg({ connectionString: database.url, Client: Counting, max: 1 }) });
    others.push(client);
    return client;
  };
  const others: PrismaClient[] = [];
  afterEach(async () => {
    for (const client of others.splice(0)) await client.$disconnect();
  });
  type Transacting = { $transaction(run: (tx: RawClient) => Promise<void>): Promise<void> };
  const asked: [string, () => unknown, string[]][] = [
    ['costs nothing through a plain client', () => db, unproven],
    ['costs nothing through a class that extends it', () => connectAs(Service as never), unproven],
    ['is asked for once where a class changes $queryRaw', () => connectAs(Logging as never), proven],
    [
      'is asked for once where an extension hooks $queryRaw',
      () => db.$extends({ query: { $queryRaw: ({ args, query }) => query(args) } }),
      proven,
    ],
    [
      'is asked for once where an extension hooks every operation',
      () => db.$extends({ query: { $allOperations: ({ args, query }) => query(args) } }),
      proven,
    ],
    [
      'is asked for once where an extension below another one hooks $queryRaw',
      () =>
        db
          .$extends({ query: { $queryRaw: ({ args, query }) => query(args) } })
          .$extends({ model: { $allModels: { count2: () => 2 } } }),
      proven,
    ],
    [
      'costs nothing where extensions leave raw queries alone',
      () =>
        db
          .$extends({ name: 'tenancy' })
          .$extends({ model: { $allModels: { count2: () => 2 } } })
          .$extends({ client: { hello: () => 'hello' } })
          .$extends({ result: { jobRun: { label: { needs: { id: true }, compute: ({ id }) => `run ${id}` } } } })
          .$extends({ query: { jobRun: { findMany: ({ args, query }) => query(args) } } }),
      unproven,
    ],
  ];
  test.each(asked)('%s', async (_, client, statements) => {
    await (client() as Transacting).$transaction(async (tx) => {
      await enqueue(tx, echo, { n: 1 });
      await enqueue(tx, echo, { n: 2 });
    });
    expect(sent).toEqual(statements);
  });

  test('is asked for of an object that nothing is known of, and refuses where its statements are apart', async () => {
    const unknown = { $transaction: () => {}, $queryRaw: (query: never) => db.$queryRaw(query) } as RawClient;
    await expect(enqueue(unknown, echo, { n: 1 })).rejects.toMatchObject({ code: 'not_in_transaction' });
    expect(sent).toEqual([PROOF, ONE]);
    expect(await database.db.jobRun.count()).toBe(0);
  });

  test.each<[string, (tx: RawClient) => object]>([
    ['a wrapper that sends statements itself', (tx) => ({ $queryRaw: (query: never) => tx.$queryRaw(query) })],
    ['insides that have changed their form', () => ({ _extensions: { isEmpty: () => true } })],
    ['insides that are not there', () => ({ _originalClient: undefined })],
  ])('is asked for of %s', async (_, changes) => {
    await db.$transaction(async (tx) => {
      const changed = changes(tx) as Record<string, unknown>;
      const wrapped = new Proxy(tx, {
        get: (target, name) => (Object.hasOwn(changed, name) ? changed[name as string] : Reflect.get(target, name)),
      });
      await enqueue(wrapped, echo, { n: 1 });
    });
    expect(sent).toEqual(inTransaction(PROOF, ONE));
  });
});
