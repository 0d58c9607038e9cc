import { connectPg, type PgClient } from '@duework/database';
import type { ForwardTargets } from '@duework/shards';
import type { Settings } from './settings/settings.js';
import type { RedisParts } from './work-on/load-redis.js';

/** Forwards are written in batches, one for each target at a time. */
const CARRY_POOL = 2;
/** Each of them holds a slot meanwhile. */
const CARRY_MS = 5_000;

/** What a dedicated queue is called by those who forward to it. */
export const DEDICATED = 'dedicated';

/** Where a worker carries forwards: to the shards, and to the dedicated queue. `close` ends the connections. */
export function openTargets(
  { shards = {} }: Pick<Settings, 'shards'>,
  redis: RedisParts | null,
): { readonly all: ForwardTargets; close(): Promise<void> } {
  const clients = Object.fromEntries(Object.entries(shards).map(([name, url]) => [name, openClient(url)]));
  const dedicated = redis === null ? null : openDedicated(redis);
  return {
    all: { ...clients, ...(dedicated === null ? {} : { [DEDICATED]: dedicated.target }) },
    async close() {
      dedicated?.close();
      await Promise.allSettled(Object.values(clients).map((client) => client.$disconnect()));
    },
  };
}

function openClient(url: string): PgClient {
  return connectPg({
    url,
    poolSize: CARRY_POOL,
    connectTimeoutMs: CARRY_MS,
    statementTimeoutMs: CARRY_MS,
    applicationName: 'duework-worker-forwards',
  });
}

function openDedicated({ url, prefix, bullmq, outbox }: RedisParts) {
  const redis = bullmq.connectRedis(url);
  const target = outbox.bullmqTarget({
    connection: redis.connection,
    ...(prefix === undefined ? {} : { prefix }),
  });
  return {
    target,
    close() {
      target.close();
      redis.close();
    },
  };
}
