import { afterAll, beforeAll } from '@jest/globals';
import { Queue, type QueueOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../../testing/start-redis.js';

export interface RedisHandle {
  readonly server: RedisServer;
  /** A client, with which nothing fails while the server is down: it waits. */
  readonly redis: Redis;
  /** A queue as plain BullMQ has it. */
  queue(name: string, options?: Partial<QueueOptions>): Queue;
}

/** A Redis for one test file, and what is closed with it. Call it at the top of a file. */
export function useRedis(): RedisHandle {
  let server: RedisServer;
  let redis: Redis;
  const queues: Queue[] = [];
  beforeAll(async () => {
    server = await startRedis();
    redis = server.connect();
    redis.on('error', () => {});
  });
  afterAll(async () => {
    await Promise.all(queues.map((queue) => queue.close()));
    redis.disconnect();
    await server.stop();
  });
  return {
    get server() {
      return server;
    },
    get redis() {
      return redis;
    },
    queue(name, options = {}) {
      const queue = new Queue(name, { connection: redis, prefix: 'duework', ...options });
      queues.push(queue);
      return queue;
    },
  };
}
