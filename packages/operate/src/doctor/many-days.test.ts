import { connectPg } from '@duework/database';
import { enqueue, findJobs } from '@duework/queue-core';
import { echo, useOwnServer } from '@duework/testing/fixtures';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { countJobs } from '../search/count-jobs.js';
import { searchJobs } from '../search/search-jobs.js';
import { runDoctor } from './run-doctor.js';

/** As ten years are for a server with PostgreSQL's own settings: more days than it has locks for. */
const server = useOwnServer({ max_locks_per_transaction: '10', max_connections: '30' });
const DAYS = 500;

const codes = async (): Promise<string[]> => (await runDoctor(server.db)).findings.map(({ code }) => code);

test('the doctor says nothing of locks where there are few days', async () => {
  expect(await codes()).not.toContain('locks_low');
});

describe('with more days than the server has locks for', () => {
  beforeAll(async () => {
    // a day needs some locks to be made, too
    for (let days = 20; days <= DAYS; days += 20)
      await server.db.$executeRaw`SELECT duework.make_partitions(7, ${days}::integer)`;
  });

  test('a query over the whole history runs out of them, which the doctor says before', async () => {
    expect(await codes()).toContain('locks_low');
    await expect(server.db.$queryRaw`SELECT count(*) FROM duework.jobs`).rejects.toThrow('out of shared memory');
  });

  test('what Duework asks itself, and an enqueue, need no more than with few', async () => {
    const db = connectPg({ url: server.url, poolSize: 1 });
    try {
      const { id } = await enqueue(db, echo, { n: 1 });
      expect((await findJobs(db, { type: 'echo' })).jobs).toMatchObject([{ id }]);
      expect(await countJobs(db, 'status:queued')).toEqual({ count: 1, isAtLeast: false });
      expect((await searchJobs(db, { filter: 'type:echo' })).jobs).toHaveLength(1);
    } finally {
      await db.$disconnect();
    }
  });
});
