import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { onEnd } from '../../scripts/lib/clean-up.mjs';
import { queryOnce } from '../systems/query-once.mjs';
import { endLeftoverRedis } from './start-redis.mjs';
import { findLeftovers, makeDataDir, removeDir } from '../../scripts/lib/data-dirs.mjs';

const { startEmbeddedPostgres, stopEmbeddedPostgres } = await import(
  join(root, 'packages/database/dist/embedded/index.js')
);
const { stopEmbeddedPostgresNow } = await import(
  join(root, 'packages/database/dist/embedded/stop-embedded-postgres.js')
);

/** Durable, and with the memory of a small production server. What is not named is PostgreSQL's default. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  max_connections: '100',
};
/** Told in the report, because they decide the figures. */
const SHOWN = [...Object.keys(SETTINGS), 'autovacuum', 'wal_level', 'work_mem'];

/** One server for the whole run; its data goes away with it. */
export async function startPostgres() {
  for (const dir of findLeftovers('bench')) {
    await stopEmbeddedPostgres({ dataDir: join(dir, 'postgres') });
    endLeftoverRedis(dir);
    removeDir(dir);
  }
  const dir = makeDataDir('bench');
  const dataDir = join(dir, 'postgres');
  const end = onEnd(() => {
    stopEmbeddedPostgresNow({ dataDir });
    removeDir(dir);
  });
  const { url } = await startEmbeddedPostgres({ dataDir, port: 0, settings: SETTINGS });
  const [{ version }] = await queryOnce(url, `SELECT current_setting('server_version') AS version`);
  const settings = await queryOnce(
    url,
    `SELECT name, current_setting(name) AS value FROM unnest(ARRAY['${SHOWN.join(`', '`)}']) AS name`,
  );
  return {
    url,
    dir,
    version,
    settings: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
    pid: Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]),
    log: join(dataDir, 'server.log'),
    stop: end,
  };
}
