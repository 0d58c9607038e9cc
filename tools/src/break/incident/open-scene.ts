import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKey, type Scope } from '@duework/operate';
import { migrateShop } from '@duework/shop/migrate';
import { watchAlerts } from '@duework/worker';
import { createOperator } from '../../kit/create-operator.js';
import { openPool } from '../../kit/open-client.js';
import { startApi } from '../../kit/start-api.js';
import { startProvider } from '../../kit/start-provider.js';
import { startService, type Service } from '../../kit/start-service.js';
import { waitUntil } from '../../kit/wait-until.js';
import type { Post, Scene } from './incident.js';

const ALL: readonly Scope[] = ['enqueue', 'read', 'payloads', 'operate', 'schedules', 'admin'];
const SHOP = 'apps/worker/dist/main.js';
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

/** Starts the API, a pager and the mail provider, which works, on a fresh database; no worker yet. */
export async function openScene(databaseUrl: string, say: (line: string) => void): Promise<Scene> {
  const closings: (() => Promise<unknown>)[] = [];
  const workers = new Map<string, Service>();
  const close = async (): Promise<void> => {
    // one that is frozen hears nothing else
    for (const worker of workers.values()) worker.stop('SIGKILL');
    for (const { exited } of workers.values()) await exited;
    for (const end of closings.splice(0).reverse()) await end();
  };
  try {
    await migrateShop({ url: databaseUrl, onProgress: () => {} });
    const mail = await startProvider();
    mail.isDown = false;
    closings.push(() => mail.stop());
    const pager = await startPager(say);
    closings.push(() => pager.stop());
    const db = openPool(databaseUrl, 2);
    closings.push(() => db.end());
    const alerts = { ALERT_WEBHOOK_URL: pager.url, ALERT_HORIZON_SECONDS: '5', ALERT_UNSERVED_SECONDS: '5' };
    const api = await startApi(databaseUrl, { ...alerts, LOG_LEVEL: 'info' });
    closings.push(() => api.stop());
    const { text: key } = await createKey(db, { name: 'on-call', scopes: ALL });
    const shop = createOperator(api.url, (await createKey(db, { name: 'shop', scopes: ALL })).text);
    return {
      ...{ url: api.url, databaseUrl, key, shop, mail, db, workers, posts: pager.posts, close },
      async startWorker(name, { slots = 5, main = SHOP } = {}) {
        const env = { ...alerts, ...workerEnv(databaseUrl, mail.url), WORKER_NAME: name, CONCURRENCY: String(slots) };
        const lines: string[] = [];
        const worker = startService({ name, main }, { env, onLine: (line) => void lines.push(line) });
        workers.set(name, worker);
        let how: string | null = null;
        void worker.exited.then((end) => (how = end.how));
        await waitUntil(`The worker ${name} did not start`, async () => {
          if (how !== null) throw new Error(`The worker ${name} ended: ${how}\n${lines.slice(-10).join('\n')}`);
          const { workers: live } = await shop.get<{ workers: { name: string }[] }>('/v1/workers');
          return live.some((worker) => worker.name.startsWith(name));
        });
        return worker;
      },
      async lookForAlerts() {
        const stop = await watchAlerts({
          db,
          log: QUIET,
          alertWebhookUrl: pager.url,
          alertHorizonSeconds: 5,
          alertUnservedSeconds: 5,
        });
        stop();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const workerEnv = (databaseUrl: string, smtpUrl: string): Record<string, string> => ({
  ...{ DATABASE_URL: databaseUrl, ENGINE_CLIENT: 'pg', SMTP_URL: smtpUrl, HOST: '127.0.0.1', WORKER_PORT: 'none' },
  ...{ BUFFER: '0', QUEUES: '', POLL_INTERVAL_MS: '100', LOG_LEVEL: 'warn' },
});

/** Gets the posts of alerts, and says each. */
async function startPager(say: (line: string) => void) {
  const posts: Post[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const post = JSON.parse(body) as Post;
      posts.push(post);
      say(`the pager: ${post.status}, ${post.key}: ${post.text}`);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const stop = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { posts, stop, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
