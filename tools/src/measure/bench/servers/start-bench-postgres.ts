import { join } from 'node:path';
import { stopEmbeddedPostgres } from '@duework/embedded';
import { findLeftovers, makeDataDir, removeDir } from '../../../kit/data-dirs.js';
import { startPostgres } from '../../../kit/servers/start-postgres.js';
import { endLeftoverRedis } from '../../../kit/servers/start-redis.js';
import { queryOnce, queryRow } from '../systems/query-once.js';

/** Durable, and with the memory of a small production server. Every other setting is PostgreSQL's default. */
export const BENCH_SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  // a log file that is used again costs nothing; to fill a new one costs as much as 20,000 jobs
  min_wal_size: '4GB',
  checkpoint_timeout: '15min',
  // sixteen workers of each system have a place
  max_connections: '500',
};
/** The settings that the report names, because they decide the figures. */
const SHOWN = [...Object.keys(BENCH_SETTINGS), 'autovacuum', 'wal_level', 'work_mem'];

export interface BenchPostgres {
  readonly url: string;
  /** The folder with the data of all servers of the run. */
  readonly dir: string;
  readonly version: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly pid: number;
  readonly log: string;
  stop(): void;
}

/** One server for the whole run; its data is removed with it. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  await removeLeftovers();
  const dir = makeDataDir('bench');
  const server = await startPostgres({ dir, settings: BENCH_SETTINGS, afterwards: () => removeDir(dir) });
  const { url, log, stop } = server;
  const pid = server.readPid();
  if (pid === undefined) throw new Error(`PostgreSQL has ended as soon as it was started; its log is ${log}.`);
  const { version } = await queryRow<{ version: string }>(url, `SELECT current_setting('server_version') AS version`);
  const settings = await queryOnce<{ name: string; value: string }>(
    url,
    `SELECT name, current_setting(name) AS value FROM unnest(ARRAY['${SHOWN.join(`', '`)}']) AS name`,
  );
  return {
    url,
    dir,
    version,
    settings: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
    pid,
    log,
    stop,
  };
}

/** Removes what killed runs have left. */
async function removeLeftovers(): Promise<void> {
  for (const dir of findLeftovers('bench')) {
    await stopEmbeddedPostgres({ dataDir: join(dir, 'postgres') });
    endLeftoverRedis(dir);
    removeDir(dir);
  }
}
