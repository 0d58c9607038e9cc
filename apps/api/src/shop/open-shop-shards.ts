import type { EventContract, JobContract, SignalContract } from '@duework/contracts';
import { connectPrisma, type ConnectOptions, describeDatabaseError, type PrismaClient } from '@duework/database';
import { registerDefinitions } from '@duework/queue-core';
import { checkShards, forward, type ShardUrls } from '@duework/shards';
import { catalog, sendReceipt } from '@duework/shop';
import type { EnqueueReceipt } from './orders/place-living-orders.js';

/** The shards of the shop: its own tables are in the first, and receipts are mailed from the last. */
export interface ShopShards {
  readonly clients: Readonly<Record<string, PrismaClient>>;
  /** Forwards a receipt to its shard from the transaction that has placed an order. */
  readonly enqueueReceipt: EnqueueReceipt;
  readonly shardOf: (contract: JobContract | SignalContract | EventContract) => string;
  /** Checks that they are what they are called, and writes the definitions; one that is away is left for later. */
  prepare(onAway: (facts: object) => void): Promise<void>;
  /** Closes what was opened here. */
  close(): Promise<void>;
}

/** undefined: the shop has one database. `db` is the client of the first. */
export function openShopShards(
  urls: ShardUrls | undefined,
  db: PrismaClient,
  options: Omit<ConnectOptions, 'url'>,
): ShopShards | undefined {
  if (urls === undefined) return undefined;
  const [first, ...others] = Object.keys(urls) as [string, ...string[]];
  const opened = Object.fromEntries(others.map((name) => [name, connectPrisma({ ...options, url: urls[name]! })]));
  const clients: Readonly<Record<string, PrismaClient>> = { [first]: db, ...opened };
  const ofReceipts = others.at(-1) ?? first;
  return {
    clients,
    enqueueReceipt: (tx, payload, given) => forward(tx, ofReceipts, sendReceipt, payload, given),
    shardOf: (contract) => (contract === sendReceipt ? ofReceipts : first),
    async prepare(onAway) {
      const { problems } = await checkShards(clients);
      for (const { shard, message } of problems) onAway({ shard, problem: message });
      for (const name of others)
        await registerDefinitions(opened[name]!, catalog).catch((error: unknown) =>
          onAway({ shard: name, problem: describeDatabaseError(error, urls[name]).problem }),
        );
    },
    close: async () => void (await Promise.all(Object.values(opened).map((client) => client.$disconnect()))),
  };
}
