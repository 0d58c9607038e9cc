import { join } from 'node:path';
import { startEmbeddedPostgres } from '@duework/database/embedded';
import { onEnd } from '../clean-up.js';
import { readPostgresPid, stopPostgresNow } from './stop-postgres-now.js';

export interface StartPostgresOptions {
  /** Where its folder `postgres` is made. */
  readonly dir: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Ended with the server and after it: what its folder is on, the folder. */
  readonly afterwards?: () => void;
}

export interface StartedPostgres {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly log: string;
  /** Of the server as it runs now; undefined: it does not. */
  readPid(): number | undefined;
  /** Starts it again on the same port, after it was stopped. Rejects when it does not come up. */
  start(): Promise<void>;
  /** Stops it at once, and then does what comes `afterwards`. */
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
