import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineJob } from '@duework/contracts';
import { enqueue } from '@duework/queue-core';
import { createKey, pauseType, resumeType } from '@duework/operate';
import { cleanupNightly } from '@duework/shop';
import { z } from 'zod';
import { openPool } from '../../kit/open-client.js';
import { startService, type Service } from '../../kit/start-service.js';
import { waitUntil } from '../../kit/wait-until.js';

export interface Scraped {
  readonly apiAddress: string;
  readonly workerAddress: string;
  /** An API key that may read, as Prometheus gets it. */
  readonly key: string;
  /** A job that the worker runs, and a request that the API answers. */
  work(): Promise<void>;
  /** Resumes the type of the job that nobody reads, which has been due for an hour. */
  resume(): Promise<void>;
  readMetrics(): Promise<{ readonly api: string; readonly worker: string }>;
  stopWorker(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The API and the worker as they are deployed, on a migrated database: processes of their own, with keys on. One job
 * waits there that no worker can read, so that every series has a value; it has been due for an hour, and its type is
 * paused.
 */
export async function startScraped(databaseUrl: string): Promise<Scraped> {
  const db = openPool(databaseUrl, 2);
  const tempDir = mkdtempSync(join(tmpdir(), 'duework-scraped-'));
  const { text: key } = await createKey(db, { name: 'prometheus', scopes: ['read'] });
  const env = {
    DATABASE_URL: databaseUrl,
    HOST: '127.0.0.1',
    TEMP_DIR: tempDir,
    ALERT_SMTP_URL: '',
    ALERT_MAIL_TO: '',
  };
  const api = start('api', 'apps/api/dist/main.js', { ...env, API_PORT: '0', API_KEYS: 'on' });
  const worker = start('worker', 'apps/worker/dist/main.js', { ...env, WORKER_PORT: '0' });
  const [apiAddress, workerAddress] = await Promise.all([api.address('api.started'), worker.address('http.listening')]);
  const nobodyReads = defineJob({ type: 'nobody_reads', payload: z.object({}) });
  await pauseType(db, nobodyReads.type);
  await enqueue(db, nobodyReads, {}, { runAt: new Date(Date.now() - 3_600_000) });
  let days = 0;
  const headers = { authorization: `Bearer ${key}` };
  const read = async (address: string): Promise<string> => {
    const response = await fetch(`${address}/metrics`, { headers });
    if (response.status !== 200) throw new Error(`${address}/metrics answers ${response.status}.`);
    return response.text();
  };
  return {
    apiAddress,
    workerAddress,
    key,
    async work() {
      const day = new Date(Date.UTC(2000, 0, ++days)).toISOString().slice(0, 10);
      await enqueue(db, cleanupNightly, { day });
      await (await fetch(`${apiAddress}/v1/queues`, { headers })).text();
    },
    resume: async () => void (await resumeType(db, nobodyReads.type)),
    readMetrics: async () => ({ api: await read(apiAddress), worker: await read(workerAddress) }),
    stopWorker: () => worker.end(),
    async stop() {
      await Promise.all([worker.end(), api.end()]);
      await db.end();
      rmSync(tempDir, { recursive: true, force: true });
    },
  };
}

/** A service whose log line `msg` has the port at which it listens. */
function start(name: string, main: string, env: Readonly<Record<string, string>>) {
  const lines: string[] = [];
  const service: Service = startService({ name, main }, { env, onLine: (line) => void lines.push(line) });
  let how: string | undefined;
  const exited = service.exited.then((end) => (how = end.how));
  return {
    async address(msg: string): Promise<string> {
      const line = await waitUntil(`No ${msg} of the ${name}`, () => {
        if (how !== undefined) throw new Error(`The ${name} ended (${how}): ${lines.slice(-5).join('\n')}`);
        return lines.find((candidate) => candidate.includes(`"msg":"${msg}"`));
      });
      return `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}`;
    },
    async end(): Promise<void> {
      service.stop('SIGTERM');
      await exited;
    },
  };
}
