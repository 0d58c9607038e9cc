import { enqueue, enqueueMany, getJob, jobRequest, type Queryable } from '@duework/queue-core';
import { fromPrisma } from '@duework/sql/adapters';
import { charge, echo, useTestDatabase } from '@duework/testing/fixtures';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openPrisma } from './open/open-prisma.js';
import { type AnyPrisma, PRISMA_VERSIONS } from './open/prisma-versions.js';
import type { OpenedClient } from './opened-client.js';

const database = useTestDatabase();
const countJobs = (): Promise<number> => database.db.jobRun.count();

type Extend = (prisma: AnyPrisma) => AnyPrisma;
const extend =
  (extension: object): Extend =>
  (prisma) =>
    prisma.$extends(extension as never) as never;
interface Hook {
  args: never;
  query: (args: never) => Promise<unknown>;
}

const EXTENSIONS: readonly [string, Extend][] = [
  ['no extension', (prisma) => prisma],
  ['a hook of every operation', extend({ query: { $allOperations: ({ args, query }: Hook) => query(args) } })],
  ['a hook of $queryRaw', extend({ query: { $queryRaw: ({ args, query }: Hook) => query(args) } })],
  [
    'two hooks of $queryRaw',
    (prisma) =>
      extend({ query: { $queryRaw: ({ args, query }: Hook) => query(args) } })(
        extend({ query: { $queryRaw: ({ args, query }: Hook) => query(args) } })(prisma),
      ),
  ],
  ['a hook of models', extend({ query: { $allModels: { $allOperations: ({ args, query }: Hook) => query(args) } } })],
  ['a method of models', extend({ model: { $allModels: { hello: () => 'hello' } } })],
  ['a method of the client', extend({ client: { hello: () => 'hello' } })],
  ['a computed field', extend({ result: { order: { label: { needs: { id: true }, compute: () => 'order' } } } })],
];

beforeAll(() => database.db.$executeRaw`CREATE TABLE orders (id int PRIMARY KEY)`);
beforeEach(() => database.db.$executeRaw`WITH keys AS (DELETE FROM duework.job_keys) DELETE FROM duework.job_runs`);

describe.each(Object.keys(PRISMA_VERSIONS))('Prisma %s', (version) => {
  describe.each(EXTENSIONS)('with %s', (_, extension) => {
    let opened: OpenedClient;
    beforeAll(() => {
      opened = openPrisma(version, extension)(database.url);
    });
    afterAll(() => opened.close());

    test('the client enqueues', async () => {
      const { id } = await enqueue(opened.client, charge, { invoice: 1 });
      const [again] = await enqueueMany(opened.client, [
        jobRequest(charge, { invoice: 1 }),
        jobRequest(echo, { n: 1 }),
      ]);
      expect(again).toMatchObject({ id, isDeduplicated: true });
      expect((await getJob(opened.client, id)).job.payload).toEqual({ invoice: 1 });
    });

    test('a transaction commits its job, or rolls it back', async () => {
      await opened.transact((tx) => enqueue(tx, charge, { invoice: 1 }));
      const refused = opened.transact(async (tx) => {
        await enqueue(tx, charge, { invoice: 2 });
        throw new Error('the order was refused');
      });
      await expect(refused).rejects.toThrow('the order was refused');
      expect(await countJobs()).toBe(1);
      expect(await enqueue(opened.client, charge, { invoice: 2 })).toMatchObject({ isDeduplicated: false });
    });
  });

  describe('an extension that leaves the transaction is found out, and nothing is written', () => {
    const leaving: readonly [string, Extend][] = [
      [
        'by a hook that asks the outer client',
        (prisma) => extend({ query: { $queryRaw: ({ args }: Hook) => prisma.$queryRaw(args) } })(prisma),
      ],
      [
        'by a hook that opens a transaction for each query',
        (prisma) =>
          extend({
            query: {
              $allOperations: async ({ args, query }: Hook) =>
                (await prisma.$transaction([prisma.$executeRaw`SELECT 1`, query(args) as never]))[1],
            },
          })(prisma),
      ],
      [
        'by a $queryRaw of its own',
        (prisma) => extend({ client: { $queryRaw: prisma.$queryRaw.bind(prisma) } })(prisma),
      ],
    ];
    const passed: readonly [string, (tx: Queryable) => Queryable][] = [
      ['as it is', (tx) => tx],
      ['adapted', (tx) => fromPrisma(tx as AnyPrisma)],
    ];
    test.each(leaving.flatMap(([how, by]) => passed.map(([as, pass]) => [how, as, by, pass] as const)))(
      '%s, %s',
      async (_how, _as, by, pass) => {
        const opened = openPrisma(version, by)(database.url);
        await expect(opened.transact((tx) => enqueue(pass(tx), echo, { n: 1 }))).rejects.toMatchObject({
          code: 'not_in_transaction',
        });
        expect(await countJobs()).toBe(0);
        await opened.close();
      },
    );
  });

  test('the array form of $transaction is refused by Prisma, and the job is there: it was sent by itself', async () => {
    const prisma = PRISMA_VERSIONS[version]!(database.url);
    const enqueued = enqueue(prisma, echo, { n: 1 });
    const inArray = async () => prisma.$transaction([prisma.$executeRaw`SELECT 1`, enqueued as never]);
    await expect(inArray()).rejects.toThrow('All elements of the array need to be Prisma Client promises');
    await enqueued;
    expect(await countJobs()).toBe(1);
    await prisma.$disconnect();
  });
});
