import { createKey } from '@duework/operate';
import { openPool } from '../../kit/open-client.js';
import { startApi } from '../../kit/start-api.js';
import { startService } from '../../kit/start-service.js';
import { type Provider, startProvider } from './start-provider.js';

/** Somebody who calls the API with a key. */
interface Operator {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: object): Promise<T>;
}

/** Calls the API with a key. Both methods throw where it refuses, with what it says. */
function createOperator(url: string, key: string): Operator {
  const call = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    const body = (await response.json()) as { detail?: string };
    if (response.ok) return body as T;
    throw new Error(`${init.method} ${path}: ${response.status} ${body.detail ?? ''}`);
  };
  return {
    get: (path) => call(path, { method: 'GET' }),
    post: (path, body) => call(path, { method: 'POST', ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
  };
}

/** What an incident takes: the product as it is deployed, a provider, and a person with a key of her own. */
export interface Scene {
  readonly provider: Provider;
  /** She may read and operate, and neither see payloads nor enqueue. */
  readonly ana: Operator;
  /** The program that enqueues. */
  readonly shop: Operator;
  close(): Promise<void>;
}

const AT_ONCE = 50;

/** Starts the API, a worker and the provider, which is down, and makes two API keys. */
export async function openScene(databaseUrl: string): Promise<Scene> {
  const closings: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of closings.splice(0).reverse()) await end();
  };
  try {
    const provider = await startProvider();
    closings.push(() => provider.stop());
    const db = openPool(databaseUrl, 1);
    closings.push(() => db.end());
    const api = await startApi(databaseUrl, { LOG_LEVEL: 'info' });
    closings.push(() => api.stop());
    const worker = startService(
      { name: 'rehearsed', main: 'apps/worker/dist/main.js' },
      { env: workerEnv(databaseUrl, provider.url), onLine: () => {} },
    );
    closings.push(() => (worker.stop('SIGTERM'), worker.exited));
    const operator = async (name: string, scopes: readonly string[]): Promise<Operator> =>
      createOperator(api.url, (await createKey(db, { name, scopes })).text);
    return {
      provider,
      ana: await operator('ana', ['read', 'operate']),
      shop: await operator('shop', ['enqueue']),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const workerEnv = (databaseUrl: string, smtpUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  ENGINE_CLIENT: 'pg',
  SMTP_URL: smtpUrl,
  WORKER_NAME: 'rehearsed',
  HOST: '127.0.0.1',
  WORKER_PORT: 'none',
  CONCURRENCY: String(AT_ONCE),
  QUEUES: '',
  ALERT_WEBHOOK_URL: '',
  LOG_LEVEL: 'silent',
});
