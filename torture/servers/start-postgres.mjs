import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onEnd } from '../../scripts/lib/clean-up.mjs';
import { makeDataDir, removeDir } from '../../scripts/lib/data-dirs.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { mountSmallDisk } from './mount-small-disk.mjs';
import { removeLeftovers } from './remove-leftovers.mjs';

const { startEmbeddedPostgres, stopEmbeddedPostgres } = await import(
  join(root, 'packages/database/dist/embedded/index.js')
);
const { stopEmbeddedPostgresNow } = await import(
  join(root, 'packages/database/dist/embedded/stop-embedded-postgres.js')
);
const { migrateDatabase } = await import(join(root, 'packages/database/dist/migrate/index.js'));

/** Durable: what was acknowledged has to survive. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '200',
  max_wal_size: '256MB',
  log_min_messages: 'fatal',
  restart_after_crash: 'on',
};
/** To postmaster: every session is ended and everything is written; or all of it dies at once, and the next start recovers. */
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' };
const RETRY_MS = 200;

/** A server to torture, on a small file system of its own where that can be had; nothing of it is left afterwards. */
export async function startPostgres({ diskMb }) {
  await removeLeftovers();
  const dir = makeDataDir('torture');
  const disk = mountSmallDisk(join(dir, 'disk'), diskMb);
  const dataDir = join(dir, 'disk/postgres');
  const end = onEnd(() => {
    stopEmbeddedPostgresNow({ dataDir });
    disk?.unmount();
    removeDir(dir);
  });
  const start = (port) => startEmbeddedPostgres({ dataDir, port, settings: SETTINGS });
  const { url, port } = await start(0);
  await migrateDatabase({ url });
  const readPid = () => Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);

  /** Starts it again, as an operator does: until it is there. */
  async function startAgain() {
    for (;;) {
      try {
        return void (await start(port));
      } catch {
        await pause(RETRY_MS);
      }
    }
  }
  return {
    url,
    dir,
    port,
    disk,
    /** Resolves when it takes connections again; `downMs` it was away. */
    async restart(mode, downMs) {
      process.kill(readPid(), SIGNALS[mode]);
      await stopEmbeddedPostgres({ dataDir });
      await pause(downMs);
      await startAgain();
    },
    /** After a fault that may have ended it. */
    startAgain,
    stop: end,
  };
}
