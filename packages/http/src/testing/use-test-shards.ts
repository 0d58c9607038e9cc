import { afterAll, beforeAll } from '@jest/globals';
import { catalog } from '@duework/shop';
import { connectPrisma, type PrismaClient } from '@duework/database';
import { createShopDatabase } from '@duework/shop/testing';
import { authorizeLocal } from '../access/authorize/authorize-local.js';
import { createQueueHandler, type QueueHandler, type QueueHandlerOptions } from '../create-queue-handler.js';
import { startShardProxy, type ShardProxy } from './start-shard-proxy.js';
import { waitUntil } from './wait-until.js';
import type { AnyJson, Answer } from './use-test-api.js';

export interface TestShards {
  readonly handler: QueueHandler;
  db(shard: string): PrismaClient;
  proxy(shard: string): ShardProxy;
  /** Every database answers again, and the API knows it. */
  restore(): Promise<void>;
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<AnyJson>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<AnyJson>;
}

/** As a Node server tells of a request of this machine. */
const LOCAL = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };

/** An API over databases of its own, each behind a proxy that can take it away, for one test file. */
export function useTestShards(
  names: readonly string[],
  change: (options: object) => object = (options) => options,
): TestShards {
  const dbs = new Map<string, PrismaClient>();
  const proxies = new Map<string, ShardProxy>();
  const stops: (() => unknown)[] = [];
  let handler: QueueHandler;

  beforeAll(async () => {
    for (const name of names) {
      const database = await createShopDatabase();
      const proxy = await startShardProxy(database.url);
      const db = connectPrisma({ url: proxy.url, poolSize: 4 });
      dbs.set(name, db);
      proxies.set(name, proxy);
      stops.push(async () => {
        await proxy.restore();
        await db.$disconnect();
        proxy.stop();
        await database.drop();
      });
    }
    const options = { shards: Object.fromEntries(dbs), catalog, authorize: authorizeLocal() };
    handler = createQueueHandler(change(options) as QueueHandlerOptions);
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const sent =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } };
    const response = await handler(new Request(`http://localhost${path}`, { method, headers, ...sent }), LOCAL);
    const text = await response.text();
    // a shard that takes longer than a second to answer counts as away: on a busy machine a client asks again
    const isRead = method === 'GET' || path.endsWith('/preview');
    const isPart =
      response.status === 503 ||
      (response.status === 409 && text.includes('idempotency_key_in_flight')) ||
      (isRead && text.includes('"problems":[{"shard"'));
    if (isPart && [...proxies.values()].every(({ isAway }) => !isAway)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return ask(method, path, body, headers);
    }
    return {
      status: response.status,
      headers: response.headers,
      text,
      get body() {
        return JSON.parse(text);
      },
    };
  }
  async function restore(): Promise<void> {
    for (const proxy of proxies.values()) await proxy.restore();
    await waitUntil('all answer', async () => {
      const { body, status } = await ask('GET', '/readyz');
      return status === 200 && body.status === 'ready';
    });
  }
  return {
    restore,
    get handler() {
      return handler;
    },
    db: (shard) => dbs.get(shard)!,
    proxy: (shard) => proxies.get(shard)!,
    ask,
    get: async (path, headers) => (await ask('GET', path, undefined, headers)).body,
    post: async (path, body = {}, headers = {}) => (await ask('POST', path, body, headers)).body,
  };
}
