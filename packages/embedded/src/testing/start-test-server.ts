import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../start-embedded-postgres.js';
import { stopEmbeddedPostgresNow } from '../stop-embedded-postgres.js';
import { makeTestDir } from '@duework/database/testing';
import { removeLeftovers } from './remove-leftovers.js';

export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
  /** Stops the server, removes its data, and returns when that is done; for exit handlers. */
  stopNow(): void;
}

export interface StartTestServerOptions {
  /** The folder with bin/ and lib/ of another PostgreSQL. */
  readonly nativeDir?: string;
  /** With the settings of a server whose data is to survive a power cut, for whoever looks at those. */
  readonly isDurable?: boolean;
  /** Called with `stopNow` before anything is started, so that an interrupted start leaves nothing behind either. */
  readonly onPrepared?: (stopNow: () => void) => void;
}

/**
 * A server for one test run: fast because its data need not survive a power cut, and with room for many connections.
 */
export async function startTestServer({
  nativeDir,
  isDurable = false,
  onPrepared,
}: StartTestServerOptions = {}): Promise<TestServer> {
  await removeLeftovers(nativeDir);
  const dir = makeTestDir();
  const dataDir = join(dir, 'data');

  const clean = (): void => rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  const stopNow = (): void => {
    stopEmbeddedPostgresNow({ dataDir, nativeDir });
    clean();
  };
  onPrepared?.(stopNow);

  const server = await startEmbeddedPostgres({
    dataDir,
    port: 0,
    settings: { ...(isDurable ? {} : { fsync: 'off', full_page_writes: 'off' }), max_connections: '300' },
    ...(nativeDir === undefined ? {} : { nativeDir }),
  });
  return { url: server.url, stop: () => server.stop().then(clean), stopNow };
}
