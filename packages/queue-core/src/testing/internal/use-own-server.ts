import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectPrisma, type PrismaClient } from '@duework/database';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@duework/database/embedded';
import { migrateDatabase } from '@duework/database/migrate';
import { findTestNativeDir } from '@duework/database/testing';
import { afterAll, beforeAll } from '@jest/globals';

export interface OwnServerHandle {
  readonly db: PrismaClient;
  readonly url: string;
  /** Kills every backend at once, as a crash does, and starts again on the same port with the same data. */
  restart(): Promise<void>;
}

/** A PostgreSQL server for one test file, with settings of its own, which may be restarted. Call it at the top of a file. */
export function useOwnServer(settings: Readonly<Record<string, string>> = {}): OwnServerHandle {
  let dir: string;
  let server: EmbeddedPostgres;
  let db: PrismaClient;
  const nativeDir = findTestNativeDir();
  const startOn = (port: number) =>
    startEmbeddedPostgres({
      dataDir: join(dir, 'data'),
      port,
      settings: { fsync: 'off', ...settings },
      ...(nativeDir === undefined ? {} : { nativeDir }),
    });
  beforeAll(async () => {
    // named like the folders of test servers, so that the next test run stops what an interrupted one left behind
    dir = mkdtempSync(join(tmpdir(), `duework-test-${process.getuid?.() ?? 0}-${process.pid}-`));
    // for root the server runs as another user, who has to get in
    chmodSync(dir, 0o755);
    server = await startOn(0);
    await migrateDatabase({ url: server.url });
    db = connectPrisma({ url: server.url });
  });
  afterAll(async () => {
    await db?.$disconnect();
    await server?.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  return {
    get db() {
      return db;
    },
    get url() {
      return server.url;
    },
    async restart() {
      server.stopNow();
      server = await startOn(server.port);
    },
  };
}
