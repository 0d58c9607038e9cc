import { join } from 'node:path';
import { startEmbeddedPostgres } from '@duework/embedded';
import { onEnd } from '../clean-up.js';
import { readPostgresPid, stopPostgresNow } from './stop-postgres-now.js';

export interface StartPostgresOptions {
  /** The folder in which its folder `postgres` is made. */
  readonly dir: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Cleaned up after the server was stopped: the folder, and the disk it is on. */
  readonly afterwards?: () => void;
}

export interface StartedPostgres {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly log: string;
  /** The running server; undefined: it is stopped. */
  readPid(): number | undefined;
  /** Starts it again on the same port, after it was stopped. Rejects when it does not start. */
  start(): Promise<void>;
  /** Stops it at once, and then does `afterwards`. */
  stop(): void;
}

/** A server on a folder of its own, with settings of its own. It ends with this process at the latest. */
export async function startPostgres({ dir, settings, afterwards }: StartPostgresOptions): Promise<StartedPostgres> {
  const dataDir = join(dir, 'postgres');
  const stop = onEnd(() => {
    stopPostgresNow(dataDir);
    afterwards?.();
  });
  const { url, port } = await startEmbeddedPostgres({ dataDir, port: 0, settings });
  return {
    url,
    port,
    dataDir,
    log: join(dataDir, 'server.log'),
    readPid: () => readPostgresPid(dataDir),
    start: async () => void (await startEmbeddedPostgres({ dataDir, port, settings })),
    stop,
  };
}
