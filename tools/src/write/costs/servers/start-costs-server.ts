import { join } from 'node:path';
import { stopEmbeddedPostgres } from '@duework/embedded';
import type pg from 'pg';
import { findLeftovers, makeDataDir, removeDir } from '../../../kit/data-dirs.js';
import { openClient } from '../../../kit/open-client.js';
import { startPostgres } from '../../../kit/servers/start-postgres.js';

/**
 * Nothing happens on this server but what the cases do: no autovacuum, no checkpoint, and no page in the log because a
 * checkpoint was near. Nothing needs to survive.
 */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  checkpoint_timeout: '1d',
  max_wal_size: '32GB',
  shared_buffers: '512MB',
  max_connections: '40',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
  'pg_stat_statements.save': 'off',
};

export interface CostsServer {
  readonly url: string;
  readonly version: string;
  /** A connection for what is not measured, to the database `postgres`. */
  readonly admin: pg.Client;
  stop(): Promise<void>;
}

/** A server of this check's own. It ends with this process at the latest. */
export async function startCostsServer(): Promise<CostsServer> {
  for (const dir of findLeftovers('costs')) {
    await stopEmbeddedPostgres({ dataDir: join(dir, 'postgres') });
    removeDir(dir);
  }
  const dir = makeDataDir('costs');
  const server = await startPostgres({ dir, settings: SETTINGS, afterwards: () => removeDir(dir) });
  const admin = await openClient(server.url);
  await admin.query('CREATE EXTENSION pg_stat_statements; CREATE EXTENSION pg_walinspect');
  const { rows } = await admin.query<{ version: string }>(`SELECT current_setting('server_version') AS version`);
  return {
    url: server.url,
    version: rows[0]!.version,
    admin,
    async stop() {
      await admin.end();
      server.stop();
    },
  };
}
