import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { below, stateDir } from '../lib/paths.mjs';
import { startService } from '../start/start-service.mjs';

const LINES_KEPT = 20;

/** A worker in a process of its own, as it is deployed. Whatever the caller's environment says, it is the same one. */
export function startWorker({ name, databaseUrl, smtpUrl, shutdownDeadlineMs }) {
  const lines = [];
  const logs = join(stateDir, 'logs');
  mkdirSync(logs, { recursive: true });
  const path = join(logs, `${name}.log`);
  const file = openSync(path, 'w');
  const output = {
    take(line) {
      writeSync(file, `${line}\n`);
      lines.push(line);
      if (lines.length > LINES_KEPT) lines.shift();
    },
  };
  const env = {
    DATABASE_URL: databaseUrl,
    SMTP_URL: smtpUrl,
    WORKER_NAME: name,
    HOST: '127.0.0.1',
    WORKER_PORT: '0',
    CONCURRENCY: '5',
    BUFFER: '0',
    QUEUES: '',
    POLL_INTERVAL_MS: '100',
    SHUTDOWN_DEADLINE_MS: String(shutdownDeadlineMs),
    WEBHOOK_SECRET: '',
    ALERT_WEBHOOK_URL: '',
    LOG_LEVEL: 'info',
  };
  const service = startService({ name, main: 'apps/worker/dist/main.js' }, env, output);
  const exited = service.exited.finally(() => closeSync(file));
  return { ...service, exited, lastLines: () => `${lines.join('\n')}\nAll of it: ${below(path)}` };
}
