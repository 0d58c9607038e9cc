import { describe, expect, test } from '@jest/globals';
import { enqueue } from '../enqueue/enqueue.js';
import { getJob } from './operate.js';
import { openQueue } from './open-queue.js';
import { echo } from '@duework/testing/fixtures';

const nothing = (): void => {};
const asKnex = Object.assign(() => {}, { raw: nothing, transaction: nothing });
const asPostgresJs = Object.assign(() => {}, { unsafe: nothing, begin: nothing });

describe('what is no client is refused, with the function that makes it one', () => {
  test.each<[string, unknown, RegExp]>([
    ['Drizzle', { execute: nothing, select: nothing }, /pass fromDrizzle\(tx, sql\), from duework\/adapters/],
    ['Kysely', { executeQuery: nothing, selectFrom: nothing }, /fromKysely\(trx\)/],
    ['Knex', asKnex, /fromKnex\(trx\)/],
    ['postgres.js', asPostgresJs, /fromPostgresJs\(sql\)/],
    ['TypeORM', { query: nothing, createQueryBuilder: nothing }, /fromTypeorm\(manager\)/],
    ['nothing', undefined, /Pass a client or transaction of Prisma, or a client or pool of pg/],
    ['null', null, /Pass a client or transaction of Prisma/],
    ['a text', 'postgres://localhost', /Pass a client or transaction of Prisma/],
    ['an object', {}, /Pass a client or transaction of Prisma/],
  ])('%s', async (_, db, message) => {
    const refusal = { code: 'unknown_client', message: expect.stringMatching(message) };
    await expect(enqueue(db as never, echo, { n: 1 })).rejects.toMatchObject(refusal);
    await expect(getJob(db as never, '1')).rejects.toMatchObject(refusal);
    expect(() => openQueue(db as never)).toThrow(expect.objectContaining(refusal));
  });
});
