import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Redis } from 'ioredis';
import { startRedis, type RedisServer } from './start-redis.js';

export interface UsedRedis {
  readonly server: RedisServer;
  /** A connection that is closed after the test. */
  connect(): Redis;
}

/** A Redis for one test file, empty before each test. Call it at the top of a file. */
export function useRedis(settings: Readonly<Record<string, string>> = {}): UsedRedis {
  let server: RedisServer;
  const clients: Redis[] = [];
  const connect = (): Redis => {
    const client = server.connect();
    // it connects again by itself; what fails meanwhile says so where it was asked
    client.on('error', () => {});
    clients.push(client);
    return client;
  };
  beforeAll(async () => {
    server = await startRedis(settings);
  });
  beforeEach(async () => void (await connect().flushall()));
  afterEach(() => {
    for (const client of clients.splice(0)) client.disconnect();
  });
  afterAll(() => server?.stop());
  return {
    get server() {
      return server;
    },
    connect,
  };
}
