import { connectPg, connectPrisma, PrismaClient } from '@duework/database';
import type { RawClient } from '@duework/queue-core';
import { PrismaPg } from '@prisma/adapter-pg';

/** `prisma` for a producer is a client as users make it, for a worker the engine's; `pg` is `connectPg` for both. */
export type ClientName = 'prisma' | 'pg';

export const CLIENT_WORDS: Readonly<Record<ClientName, string>> = { prisma: 'through Prisma', pg: 'through pg' };

/** A client with one connection, so that its figures are those of a connection that is in use. */
export interface CostClient {
  readonly db: RawClient;
  /** Begins a transaction of the client's own, and commits it. */
  transact(work: (tx: RawClient) => Promise<unknown>): Promise<unknown>;
  close(): Promise<unknown>;
}

function throughPg(url: string): CostClient {
  const db = connectPg({ url, poolSize: 1 });
  return { db, transact: (work) => db.$transaction(work), close: () => db.$disconnect() };
}

const throughPrisma = (db: PrismaClient): CostClient => ({
  db,
  transact: (work) => db.$transaction(work),
  close: () => db.$disconnect(),
});

/** The client that enqueues. */
export function openProducerClient(name: ClientName, url: string): CostClient {
  if (name === 'pg') return throughPg(url);
  return throughPrisma(new PrismaClient({ adapter: new PrismaPg({ connectionString: url, max: 1 }) }));
}

/** The client of a worker's engine. */
export function openEngineClient(name: ClientName, url: string): CostClient {
  return name === 'pg' ? throughPg(url) : throughPrisma(connectPrisma({ url, poolSize: 1, role: 'engine' }));
}
