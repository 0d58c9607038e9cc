import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { stateDir } from '../../bootstrap/paths.mjs';
import { findFreePort } from '../kit/find-free-port.js';
import { startService, type Service } from '../kit/start-service.js';
import { waitUntilReady } from '../kit/wait-until-ready.js';

export interface Product {
  /** Of the API. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface StartProductOptions {
  readonly databaseUrl: string;
  readonly smtpUrl: string;
  /** `off`: a request from this machine needs no key. */
  readonly apiKeys: 'on' | 'off';
  /** Default: any free one. */
  readonly apiPort?: number;
  /** More variables of the API and the worker. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Where a shop might have its logs and traces. */
const LINKS = [
  { words: 'Trace', href: 'https://traces.example.com/trace/{traceId}', where: 'job' },
  { words: 'Logs', href: 'https://logs.example.com/?q=job:{id}', where: 'job' },
  { words: 'Logs of this worker', href: 'https://logs.example.com/?q=job:{id}+worker:{workerId}', where: 'attempt' },
  { words: 'Logs', href: 'https://logs.example.com/?q=worker:{workerId}', where: 'worker' },
];

/** Starts the API and a worker of the shop, each in a process of its own. */
export async function startProduct(options: StartProductOptions): Promise<Product> {
  const { databaseUrl, smtpUrl, apiKeys } = options;
  const [apiPort, workerPort] = [options.apiPort ?? (await findFreePort()), await findFreePort()];
  const env = {
    DATABASE_URL: databaseUrl,
    HOST: '127.0.0.1',
    API_PORT: String(apiPort),
    API_URL: `http://127.0.0.1:${apiPort}`,
    API_KEYS: apiKeys,
    CONSOLE_LINKS: JSON.stringify(LINKS),
    WORKER_PORT: String(workerPort),
    WORKER_NAME: 'mail-1',
    SMTP_URL: smtpUrl,
    WEBHOOK_SECRET: 'a-secret-for-pictures',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    // what is enqueued wakes the worker; this is for what becomes due
    POLL_INTERVAL_MS: '1000',
    CONCURRENCY: '4',
    LOG_LEVEL: 'warn',
    NODE_ENV: '',
    ...options.env,
  };
  const services = [
    startLogged('console-api', 'apps/api/dist/main.js', env),
    startLogged('console-worker', 'apps/worker/dist/main.js', env),
  ];
  const url = `http://127.0.0.1:${apiPort}`;
  await Promise.all([
    waitUntilReady('API', `${url}/readyz`, () => false),
    waitUntilReady('worker', `http://127.0.0.1:${workerPort}/readyz`, () => false),
  ]);
  return {
    url,
    async stop() {
      for (const service of services) service.stop('SIGTERM');
      await Promise.all(services.map(({ exited }) => exited));
    },
  };
}

function startLogged(name: string, main: string, env: Readonly<Record<string, string>>): Service {
  const logs = join(stateDir, 'logs');
  mkdirSync(logs, { recursive: true });
  const file = openSync(join(logs, `${name}.log`), 'w');
  const service = startService({ name, main }, { env, onLine: (line) => void writeSync(file, `${line}\n`) });
  return { ...service, exited: service.exited.finally(() => closeSync(file)) };
}
