import { connectPg, connectPrisma, type PgClient, type PrismaClient } from '@duework/database';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { afterAll, beforeAll } from '@jest/globals';

export interface TestDatabaseHandle {
  /** A client of the file's own database, with a pool. */
  readonly db: PrismaClient;
  readonly url: string;
  /** One more client with connections of its own: the other side of a race. */
  connect(options?: { poolSize?: number }): PrismaClient;
  /** One more as a worker's engine has it. */
  connectPg(options?: { poolSize?: number }): PgClient;
}

/** A migrated database for one test file, and clients that are closed with it. Call it at the top of a file. */
export function useTestDatabase(): TestDatabaseHandle {
  let database: TestDatabase;
  const clients: { $disconnect(): Promise<void> }[] = [];
  let db: PrismaClient;
  const keep = <T extends (typeof clients)[number]>(client: T): T => {
    clients.push(client);
    return client;
  };
  const connect: TestDatabaseHandle['connect'] = (options = {}) =>
    keep(connectPrisma({ url: database.url, ...options }));
  beforeAll(async () => {
    database = await createTestDatabase();
    db = connect({ poolSize: 20 });
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.$disconnect()));
    await database.drop();
  });
  return {
    connect,
    connectPg: (options = {}) => keep(connectPg({ url: database.url, ...options })),
    get db() {
      return db;
    },
    get url() {
      return database.url;
    },
  };
}
