import { startRedis } from '@duework/bullmq/testing';
import { migrateDatabase } from '@duework/database/migrate';
import { Pool } from 'pg';
import { onEnd } from '../../kit/clean-up.js';
import { makeDataDir, removeDir } from '../../kit/data-dirs.js';
import { startPostgres } from '../../kit/servers/start-postgres.js';
import { waitUntil } from '../../kit/wait-until.js';
import { SETTINGS } from '../torture/servers/start-postgres.js';
import { bullmq } from './old/bullmq.js';
import { graphileWorker } from './old/graphile-worker.js';
import type { OldPlace } from './old/old-place.js';
import { pgBoss } from './old/pg-boss.js';

export type System = OldPlace['name'];

/** A server that is killed. */
interface Server {
  readonly name: string;
  /** Kills it, and resolves when it answers again. */
  kill(): Promise<void>;
}

export interface Places {
  readonly old: OldPlace;
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly servers: readonly Server[];
  stop(): Promise<void>;
}

/**
 * Duework's database, and the old system: in the same one, in one of its own (`isApart`), or in a Redis. All keep what
 * they say.
 */
export async function openPlaces(system: System, isApart: boolean): Promise<Places> {
  const main = await openPostgres('PostgreSQL');
  await migrateDatabase({ url: main.url });
  if (system === 'bullmq') {
    const redis = await startRedis({ appendfsync: 'always' });
    const endNow = onEnd(() => {
      process.kill(redis.pid, 'SIGKILL');
      removeDir(redis.dir);
    });
    const url = `redis://127.0.0.1:${redis.port}`;
    return {
      old: bullmq(url, () => redis.connect()),
      databaseUrl: main.url,
      pool: main.pool,
      servers: [main, { name: 'Redis', kill: () => redis.kill().then(() => redis.start()) }],
      stop: () => main.stop().then(endNow),
    };
  }
  const other = isApart ? await openPostgres('the PostgreSQL of the old system') : null;
  const { url, pool } = other ?? main;
  return {
    old: (system === 'pg-boss' ? pgBoss : graphileWorker)(url, pool),
    databaseUrl: main.url,
    pool: main.pool,
    servers: other === null ? [main] : [main, other],
    stop: () => main.stop().then(() => other?.stop()),
  };
}

async function openPostgres(name: string) {
  const dir = makeDataDir('move');
  const server = await startPostgres({ dir, settings: SETTINGS, afterwards: onEnd(() => removeDir(dir)) });
  const pool = new Pool({ connectionString: server.url, max: 4 });
  // its server is killed
  pool.on('error', () => {});
  return {
    name,
    url: server.url,
    pool,
    async kill() {
      process.kill(server.readPid()!, 'SIGQUIT');
      await waitUntil('The server had not ended', () => server.readPid() === undefined);
      await server.start();
    },
    async stop() {
      await pool.end();
      server.stop();
    },
  };
}
