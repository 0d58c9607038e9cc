import { connectPg } from '@duework/database';
import { startShardProxy, type ShardProxy } from '@duework/http/testing';
import { foundShard } from '@duework/shards';
import { createShopDatabase } from '@duework/shop/testing';

export interface SecondShard {
  readonly proxy: ShardProxy;
  /** What the programs over both are told. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Makes a database the shard `a`, and another one beside it the shard `b`, which can be taken away. */
export async function startSecondShard(firstUrl: string): Promise<SecondShard> {
  const database = await createShopDatabase();
  const proxy = await startShardProxy(database.url);
  for (const [name, url] of [
    ['a', firstUrl],
    ['b', database.url],
  ] as const) {
    const db = connectPg({ url });
    await foundShard(db, name);
    await db.$disconnect();
  }
  return {
    proxy,
    env: { SHARDS: `a=${firstUrl} b=${proxy.url}` },
    async stop() {
      proxy.stop();
      await database.drop();
    },
  };
}
