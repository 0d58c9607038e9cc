import { startService, type Service } from './start-service.js';
import { waitUntil } from './wait-until.js';

export interface StartedApi {
  readonly url: string;
  readonly pid: number;
  /** What it has logged, each line parsed. */
  readonly logged: readonly Readonly<Record<string, unknown>>[];
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts the API as it is deployed, on a port of its own; `env` is added to what it needs. Rejects when it does not start. */
export async function startApi(databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<StartedApi> {
  const logged: Record<string, unknown>[] = [];
  const said: string[] = [];
  let ended: string | null = null;
  const onLine = (line: string): void => {
    try {
      logged.push(JSON.parse(line) as Record<string, unknown>);
    } catch {
      said.push(line);
    }
  };
  const service: Service = startService(
    { name: 'api', main: 'apps/api/dist/main.js' },
    {
      env: {
        DATABASE_URL: databaseUrl,
        HOST: '127.0.0.1',
        API_PORT: '0',
        API_KEYS: 'on',
        LOG_LEVEL: 'info',
        REQUESTS_PER_MINUTE: '100000000',
        FAILURES_PER_MINUTE: '1000000',
        ...env,
      },
      onLine,
    },
  );
  void service.exited.then(({ how }) => (ended = how));
  const port = await waitUntil('The API did not start', () => {
    if (ended !== null) throw new Error(`The API did not start (${ended}): ${said.slice(-5).join('\n')}`);
    return logged.find(({ msg }) => msg === 'api.started')?.['port'];
  }).catch((error: unknown) => {
    service.stop('SIGKILL');
    throw error;
  });
  return {
    url: `http://127.0.0.1:${String(port)}`,
    pid: service.pid!,
    logged,
    async stop() {
      service.stop('SIGTERM');
      await service.exited;
    },
  };
}
