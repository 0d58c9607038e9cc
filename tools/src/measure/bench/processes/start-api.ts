import { findFreePort } from '../../../kit/find-free-port.js';
import { startService } from '../../../kit/start-service.js';
import { waitUntilReady } from '../../../kit/wait-until-ready.js';
import { withLimit } from '../../../kit/with-limit.js';

const STOP_MS = 15_000;
const LINES_KEPT = 15;

export interface StartedApi {
  readonly port: number;
  /** Stops it as a deploy would. */
  stop(): Promise<void>;
}

/** Starts the API of this repository on a database; it writes its log as it always does. */
export async function startApi(databaseUrl: string): Promise<StartedApi> {
  const port = await findFreePort();
  const lines: string[] = [];
  const api = startService(
    { name: 'api', main: 'apps/api/dist/main.js' },
    {
      env: { DATABASE_URL: databaseUrl, HOST: '127.0.0.1', API_KEYS: 'off', API_PORT: String(port) },
      onLine(line) {
        if (lines.push(line) > LINES_KEPT) lines.shift();
      },
    },
  );
  let hasExited = false;
  const exited = api.exited.then(({ how }) => ((hasExited = true), how));
  const ended = exited.then((how) => Promise.reject(new Error(`The API ended (${how}). ${lines.join('\n')}`)));
  ended.catch(() => {});
  const stop = async (): Promise<void> => {
    api.stop('SIGTERM');
    await withLimit(exited, STOP_MS, 'The API did not stop').finally(() => api.stop('SIGKILL'));
  };
  try {
    await Promise.race([waitUntilReady('API', `http://127.0.0.1:${port}/readyz`, () => hasExited), ended]);
    return { port, stop };
  } catch (error) {
    api.stop('SIGKILL');
    throw error;
  }
}
