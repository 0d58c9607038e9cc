import { PrismaClient } from '@duework/database';
import { PrismaPg } from '@prisma/adapter-pg';

/**
 * Prisma 7.10 behind a hop that holds back what Duework sends in a transaction until that has been rolled back: as a slow
 * network does, or a process that is busy, while Prisma's own timer goes off.
 */
export function openSlowPrisma(url: string): { readonly client: PrismaClient; close(): Promise<void> } {
  const own = new PrismaPg({ connectionString: url });
  const connect = async () => {
    const adapter = await own.connect();
    const startTransaction = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (...options) => {
      const transaction = await startTransaction(...options);
      const queryRaw = transaction.queryRaw.bind(transaction);
      const rollback = transaction.rollback.bind(transaction);
      let release = (): void => {};
      const isRolledBack = new Promise<void>((resolve) => (release = resolve));
      return Object.assign(transaction, {
        queryRaw: async (query: { readonly sql: string }) => {
          if (query.sql.includes('duework')) await isRolledBack;
          return queryRaw(query as never);
        },
        rollback: async () => {
          await rollback();
          release();
        },
      });
    };
    return adapter;
  };
  const client = new PrismaClient({
    adapter: { provider: own.provider, adapterName: own.adapterName, connect } as never,
  });
  return { client, close: () => client.$disconnect() };
}
