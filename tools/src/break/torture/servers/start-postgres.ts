import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { migrateDatabase } from '@duework/database/migrate';
import { onEnd } from '../../../kit/clean-up.js';
import { makeDataDir, removeDir } from '../../../kit/data-dirs.js';
import { startPostgres, type StartedPostgres } from '../../../kit/servers/start-postgres.js';
import { waitUntil } from '../../../kit/wait-until.js';
import { mountSmallDisk, type SmallDisk } from './mount-small-disk.js';
import { removeLeftovers } from './remove-leftovers.js';

/** Durable settings, because acknowledged jobs have to survive. */
export const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '200',
  max_wal_size: '256MB',
  log_min_messages: 'fatal',
  restart_after_crash: 'on',
  // so that the observer knows when something became true for others
  track_commit_timestamp: 'on',
};
/**
 * The signal to postmaster: it ends every session and writes everything; or all of it dies at once, and the next start
 * recovers.
 */
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;
export type RestartMode = keyof typeof SIGNALS;
const RETRY_MS = 200;

export interface TorturedPostgres extends Pick<StartedPostgres, 'url' | 'port'> {
  /** The folder of this run. */
  readonly dir: string;
  /** Null where mounting is not allowed. */
  readonly disk: SmallDisk | null;
  /** Resolves when the server takes connections again, after it was away for `downMs`. */
  restart(mode: RestartMode, downMs: number): Promise<void>;
  /**
   * Called after a fault that may have ended the server: starts it again and again until it runs, as an operator does.
   */
  startAgain(): Promise<void>;
  /** Another server becomes the primary, of three; the one of before is killed, or hangs. Absent: there is only one. */
  changePrimary?(how: 'kill' | 'hang'): Promise<void>;
  /** What was the primary comes back as a standby. */
  rebuildOld?(): Promise<void>;
  /** Stops the server; its disk and its folder are removed when this process ends. */
  stop(): void;
}

/**
 * A server to torture, on a small file system of its own where mounting is allowed; nothing of it is left afterwards.
 */
export async function startTorturedPostgres({ diskMb }: { readonly diskMb: number }): Promise<TorturedPostgres> {
  removeLeftovers();
  const dir = makeDataDir('torture');
  const diskDir = join(dir, 'disk');
  let disk: SmallDisk | null = null;
  const end = onEnd(() => {
    disk?.unmount();
    removeDir(dir);
  });
  disk = mountSmallDisk(diskDir, diskMb);
  const server = await startPostgres({ dir: diskDir, settings: SETTINGS, afterwards: end });
  await migrateDatabase({ url: server.url });

  async function startAgain(): Promise<void> {
    for (;;) {
      try {
        return await server.start();
      } catch {
        await pause(RETRY_MS);
      }
    }
  }
  return {
    url: server.url,
    port: server.port,
    dir,
    disk,
    async restart(mode, downMs) {
      const pid = server.readPid();
      if (pid !== undefined) process.kill(pid, SIGNALS[mode]);
      await waitUntil('The server had not ended', () => server.readPid() === undefined);
      await pause(downMs);
      await startAgain();
    },
    startAgain,
    stop: server.stop,
  };
}
