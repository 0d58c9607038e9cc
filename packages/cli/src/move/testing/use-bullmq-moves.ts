import { join } from 'node:path';
import { connectRedis } from '@duework/bullmq';
import { startRedis, type RedisServer } from '@duework/bullmq/testing';
import { emptyTables } from '@duework/testing/fixtures';
import type { Catalog } from '@duework/contracts';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { Queue } from 'bullmq';
import { root } from '../../testing/root.js';
import { useMoves } from './use-moves.js';

/** A database, a Redis that is empty before each test, and the command between them. */
export function useBullmqMoves(catalog: Catalog) {
  const { database, run } = useMoves(catalog);
  let server: RedisServer;
  let redis: ReturnType<typeof connectRedis>;
  beforeAll(async () => {
    server = await startRedis();
    redis = connectRedis(`redis://127.0.0.1:${server.port}`);
  });
  afterAll(async () => {
    redis.close();
    await server.stop();
  });
  beforeEach(async () => {
    await redis.connection.flushall();
    await emptyTables(database.db, 'job_runs, job_history, job_attempts, job_keys, schedules');
  });
  // where the packages are found that the command loads when it is asked to
  const given = () => ({ cwd: join(root, 'packages/cli'), redisUrl: () => `redis://127.0.0.1:${server.port}` });
  const move = (...more: string[]) => run(['--from', 'bullmq', ...more], given());
  return {
    database,
    run,
    redis: () => server,
    move: Object.assign(move, {
      /** The same with another client of the database. */
      on: (db: unknown, ...more: string[]) =>
        run(['--from', 'bullmq', ...more], { ...given(), db: async () => db as never }),
    }),
    async withQueue(name: string, act: (queue: Queue) => Promise<unknown>): Promise<void> {
      const queue = new Queue(name, { connection: redis.connection as never });
      await act(queue);
      await queue.close();
    },
    /** A client that fails before the commit of the first transaction which answers so. */
    dyingAfter: (last: unknown): object => ({
      $connect: () => {},
      $queryRaw: (...args: [never]) => database.db.$queryRaw(...args),
      $transaction: (act: (tx: unknown) => Promise<unknown>, options?: object) =>
        database.db.$transaction(async (tx) => {
          const answer = await act(tx);
          if (answer !== last) return answer;
          throw new Error('killed before the commit');
        }, options),
    }),
  };
}
