import { defineJob, defineSignal } from '@duework/contracts';
import {
  acknowledgeJob,
  addToBatch,
  cancelBatch,
  cancelJob,
  createPostgresStore,
  enqueue,
  enqueueBatch,
  enqueueMany,
  freeKey,
  jobRequest,
  openQueue,
  type Queryable,
  retryJob,
  signal,
  updateJob,
} from '@duework/queue-core';
import { recogniseClient, sql, toStatement } from '@duework/sql';
import { fromPrisma } from '@duework/sql/adapters';
import { charge, claim, echo, useTestDatabase } from '@duework/testing/fixtures';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { openDrizzle, openDrizzleOnPostgresJs } from './open/open-drizzle.js';
import { openKnex } from './open/open-knex.js';
import { openKysely } from './open/open-kysely.js';
import { openPg } from './open/open-pg.js';
import { openPostgresJs } from './open/open-postgres-js.js';
import { openPrisma } from './open/open-prisma.js';
import { openSlowPrisma } from './open/open-slow-prisma.js';
import { openTypeorm } from './open/open-typeorm.js';
import type { OpenClient, OpenedClient } from './opened-client.js';

const database = useTestDatabase();
const gated = defineJob({ type: 'gated', payload: z.object({ n: z.int() }), limits: [{ by: 'n', max: 1 }] });
const single = defineJob({ type: 'single', payload: z.object({ n: z.int() }), unique: { by: 'n' } });
const paid = defineSignal({ name: 'paid', payload: z.object({ n: z.int() }), by: ['n'] });
const refused = { code: 'not_in_transaction' };

/** All that the verbs write, as text: what a refused one has changed would show. */
const everything = (): Promise<unknown> => database.db.$queryRaw`
  SELECT 'run' AS source, t::text AS content FROM duework.job_runs AS t
  UNION ALL SELECT 'history', t::text FROM duework.job_history AS t
  UNION ALL SELECT 'key', t::text FROM duework.job_keys AS t
  UNION ALL SELECT 'step', t::text FROM duework.job_steps AS t
  UNION ALL SELECT 'signal', t::text FROM duework.job_signals AS t
  UNION ALL SELECT 'batch', t::text FROM duework.job_batches AS t
  UNION ALL SELECT 'batch job', t::text FROM duework.job_batch_jobs AS t
  UNION ALL SELECT 'pause', t::text FROM duework.pauses AS t
  UNION ALL SELECT 'audit', t::text FROM duework.audit_entries AS t
  UNION ALL SELECT 'wait', t::text FROM duework.flow_waits AS t
  UNION ALL SELECT 'check', t::text FROM duework.commit_checks AS t
  ORDER BY 1, 2`;

/** Ends the transaction on the server, as a rollback does that overtakes what is on its way. */
const endBeneath = async (tx: Queryable): Promise<void> => {
  await recogniseClient(tx).$queryRaw(toStatement(sql`ROLLBACK`));
};

beforeAll(() => database.db.$executeRaw`CREATE TABLE orders (id int PRIMARY KEY)`);
beforeEach(
  () =>
    database.db.$executeRaw`TRUNCATE orders, duework.job_runs, duework.job_keys, duework.job_history, duework.pauses`,
);

const CLIENTS: readonly [string, OpenClient][] = [
  ['Prisma 6.19', openPrisma('6.19')],
  ['Prisma 7.0', openPrisma('7.0')],
  ['Prisma 7.3', openPrisma('7.3')],
  ['Prisma 7.10', openPrisma('7.10')],
  ['pg, adapted', openPg()],
  ['postgres.js', openPostgresJs()],
  ['Drizzle on pg', openDrizzle],
  ['Drizzle on postgres.js', openDrizzleOnPostgresJs],
  ['Kysely', openKysely],
  ['Knex', openKnex],
  ['TypeORM', openTypeorm],
];

describe.each(CLIENTS)('an enqueue whose transaction has ended on the server is refused: %s', (_, open) => {
  let opened: OpenedClient;
  beforeAll(async () => {
    opened = await open(database.url);
  });
  afterAll(() => opened.close());

  test.each([
    ['after a write', true],
    ['as its first statement', false],
  ])('%s', async (_when, isFirst) => {
    const before = await everything();
    await opened
      .transact(async (tx, writeRow) => {
        if (isFirst) await writeRow(1);
        await endBeneath(tx);
        await expect(enqueue(tx, echo, { n: 1 })).rejects.toMatchObject(refused);
      })
      // some libraries find out at their own COMMIT
      .catch((error: unknown) => expect(String(error)).not.toMatch(/expect|toMatchObject/));
    expect(await everything()).toEqual(before);
  });
});

describe('in a transaction that has ended on the server', () => {
  let opened: OpenedClient;
  beforeAll(() => {
    opened = openPrisma('7.10')(database.url);
  });
  afterAll(() => opened.close());

  const store = () => createPostgresStore({ db: database.db });
  /** Does what a verb needs, through a client, and answers with the verb. */
  type Prepare = (db: Queryable) => Promise<(tx: Queryable) => Promise<unknown>>;
  const plain =
    (verb: (tx: Queryable) => Promise<unknown>): Prepare =>
    async () =>
      verb;
  const ofJob =
    (verb: (tx: Queryable, id: string) => Promise<unknown>): Prepare =>
    async (db) => {
      const { id } = await enqueue(db, echo, { n: 1 });
      return (tx) => verb(tx, id);
    };
  const ofDead =
    (verb: (tx: Queryable, id: string) => Promise<unknown>): Prepare =>
    async (db) => {
      await enqueue(db, charge, { invoice: 1 });
      const [run] = await claim(db, 1);
      const error = { code: 'it_failed', type: 'Error', message: 'it failed', stack: null };
      await store().settle([{ kind: 'bury', id: run!.id, fence: run!.fence, error, abort: null }]);
      return (tx) => verb(tx, run!.id);
    };
  const ofClaim =
    (verb: (tx: Queryable, run: { id: string; fence: number }) => Promise<unknown>): Prepare =>
    async (db) => {
      await enqueue(db, echo, { n: 1 });
      const [run] = await claim(db, 1);
      return (tx) => verb(tx, run!);
    };
  const step = { name: 'a', status: 'done', askedSeq: 1, doneSeq: 2, open: [], result: 1, error: null } as const;
  const VERBS: readonly [string, Prepare][] = [
    ['enqueue', plain((tx) => enqueue(tx, echo, { n: 1 }))],
    ['enqueue with a key', plain((tx) => enqueue(tx, charge, { invoice: 1 }))],
    ['enqueue into a line', plain((tx) => enqueue(tx, gated, { n: 1 }))],
    ['enqueue of one of a kind', plain((tx) => enqueue(tx, single, { n: 1 }))],
    ['enqueue of a queue', plain((tx) => openQueue(tx).enqueue(echo, { n: 1 }))],
    ['enqueueMany', plain((tx) => enqueueMany(tx, [jobRequest(echo, { n: 1 }), jobRequest(charge, { invoice: 1 })]))],
    ['enqueueBatch', plain((tx) => enqueueBatch(tx, { jobs: [jobRequest(echo, { n: 1 })] }))],
    ['enqueueBatch of none', plain((tx) => enqueueBatch(tx, { jobs: [] }))],
    [
      'addToBatch',
      async (db) => {
        const { id } = await enqueueBatch(db, { jobs: [jobRequest(echo, { n: 1 })] });
        return (tx) => addToBatch(tx, id, [jobRequest(echo, { n: 2 })]);
      },
    ],
    [
      'cancelBatch',
      async (db) => {
        const { id } = await enqueueBatch(db, { jobs: [jobRequest(echo, { n: 1 })] });
        return (tx) => cancelBatch(tx, id);
      },
    ],
    ['signal', plain((tx) => signal(tx, paid, { n: 1 }))],
    ['cancelJob', ofJob((tx, id) => cancelJob(tx, id))],
    ['retryJob', ofJob((tx, id) => retryJob(tx, id))],
    ['updateJob', ofJob((tx, id) => updateJob(tx, id, { priority: 9 }))],
    ['acknowledgeJob', ofDead((tx, id) => acknowledgeJob(tx, id))],
    ['freeKey', ofDead((tx, id) => freeKey(tx, id))],
    ['pause of a queue', plain((tx) => openQueue(tx).pauseQueue('default'))],
    ['completeIn', ofClaim((tx, { id, fence }) => store().completeIn(tx, { id, fence, result: null }))],
    ['step.in', ofClaim((tx, { id, fence }) => store().writeStepIn(tx, { id, fence, ...step }))],
  ];
  test.each(VERBS)('%s is refused, and nothing of it is written', async (_, prepare) => {
    const verb = await prepare(opened.client);
    const before = await everything();
    await opened.transact(async (tx) => {
      await endBeneath(tx);
      await expect(verb(tx)).rejects.toMatchObject(refused);
    });
    expect(await everything()).toEqual(before);
  });

  test.each(VERBS)('%s is done in one that is open, also where all constraints are immediate', async (_, prepare) => {
    const verb = await prepare(opened.client);
    const before = await everything();
    await opened.transact(async (tx) => {
      await recogniseClient(tx).$queryRaw(toStatement(sql`SET CONSTRAINTS ALL IMMEDIATE`));
      await verb(tx);
    });
    expect(await everything()).not.toEqual(before);
  });
});

test('a statement whose connection is in another transaction already is refused where the id was asked for', async () => {
  const opened = openPrisma('7.10')(database.url);
  await opened.transact(async (tx) => {
    const client = recogniseClient(tx);
    let isAsked = false;
    const asking = fromPrisma({
      $queryRaw: async (query: never) => {
        const answer = await client.$queryRaw(query);
        if (!isAsked) for (const text of [sql`ROLLBACK`, sql`BEGIN`]) await client.$queryRaw(toStatement(text));
        isAsked = true;
        return answer;
      },
    });
    await expect(enqueue(asking, echo, { n: 1 })).rejects.toMatchObject(refused);
  });
  await opened.close();
  expect(await database.db.jobRun.count()).toBe(0);
});

describe('a statement that leaves after Prisma has rolled back at its timeout', () => {
  test.each([
    ['after a business write', true],
    ['as the first of its transaction', false],
  ])('is refused, %s', async (_, isSecond) => {
    const { client, close } = openSlowPrisma(database.url);
    let answer: unknown;
    const late = client.$transaction(
      async (tx) => {
        if (isSecond) await tx.$executeRaw`INSERT INTO orders (id) VALUES (1)`;
        answer = await enqueue(tx, echo, { n: 1 }).catch((error: unknown) => error);
      },
      { timeout: 200 },
    );
    await expect(late).rejects.toMatchObject({ code: 'P2028' });
    await close();
    expect(answer).toMatchObject(refused);
    expect(await database.db.jobRun.count()).toBe(0);
    expect(await database.db.$queryRaw`SELECT FROM orders`).toEqual([]);
  });
});
