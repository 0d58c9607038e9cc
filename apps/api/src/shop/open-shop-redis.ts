import type { PrismaClient } from '@duework/database';
import type { JobQueue } from '@duework/queue-core';
import { sendReceipt } from '@duework/shop';
import type { EnqueueReceipt } from './orders/place-living-orders.js';

/** The dedicated queue of the shop, in a Redis: its receipts run there, and all else in the table. */
export interface ShopRedis {
  readonly queue: JobQueue;
  /** Enqueues a receipt in the transaction that has placed an order; the worker carries it to Redis. */
  readonly enqueueReceipt: EnqueueReceipt;
  close(): Promise<void>;
}

export interface ShopRedisOptions {
  readonly url: string;
  /** undefined: the usual one. */
  readonly prefix: string | undefined;
  readonly db: PrismaClient;
  readonly onLost: (error: Error) => void;
}

/** Opens it; BullMQ is loaded only where there is one. Nothing is asked yet. */
export async function openShopRedis({ url, prefix, db, onLost }: ShopRedisOptions): Promise<ShopRedis> {
  const [{ connectRedis, openBullmqQueue }, { openDedicated }] = await Promise.all([
    import('@duework/bullmq'),
    import('@duework/bullmq/outbox'),
  ]);
  const redis = connectRedis(url, onLost);
  const dedicated = openBullmqQueue({
    connection: redis.connection,
    ...(prefix === undefined ? {} : { prefix }),
  });
  const queue = openDedicated({ db, dedicated, types: [sendReceipt.type] });
  return {
    queue: dedicated,
    enqueueReceipt: (tx, payload, options) => queue.in(tx).enqueue(sendReceipt, payload, options),
    close: async () => redis.close(),
  };
}
