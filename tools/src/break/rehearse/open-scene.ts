import { createKey } from '@duework/operate';
import { createOperator, type Operator } from '../../kit/create-operator.js';
import { openPool } from '../../kit/open-client.js';
import { startApi } from '../../kit/start-api.js';
import { startService } from '../../kit/start-service.js';
import { type Provider, startProvider } from '../../kit/start-provider.js';

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
