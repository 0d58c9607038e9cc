import { connectPrisma, type PrismaClient } from '@duework/database';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { afterAll, beforeAll } from '@jest/globals';

export interface TestDatabaseHandle {
  /** A client of the file's own database, with a pool. */
  readonly db: PrismaClient;
  readonly url: string;
  /** One more client with connections of its own: the other side of a race. */
  connect(options?: { poolSize?: number; role?: 'app' | 'engine' }): PrismaClient;
}

/** A migrated database for one test file, and clients that are closed with it. Call it at the top of a file. */
export function useTestDatabase(): TestDatabaseHandle {
  let database: TestDatabase;
  const clients: PrismaClient[] = [];
  let db: PrismaClient;
  const connect: TestDatabaseHandle['connect'] = (options = {}) => {
    const client = connectPrisma({ url: database.url, ...options });
    clients.push(client);
    return client;
  };
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
    get db() {
      return db;
    },
    get url() {
      return database.url;
    },
  };
}
