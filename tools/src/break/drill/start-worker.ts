import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { below, stateDir } from '../../../bootstrap/paths.mjs';
import { isWarning } from '../../kit/is-warning.js';
import { startService, type Service } from '../../kit/start-service.js';
import type { EngineClient } from './engine-client.js';

const LINES_KEPT = 20;

export interface StartWorkerOptions {
  readonly name: string;
  readonly databaseUrl: string;
  readonly engineClient: EngineClient;
  readonly smtpUrl: string;
  readonly shutdownDeadlineMs: number;
  readonly onWarning: (line: string) => void;
}

export interface DrillWorker extends Service {
  /** For messages: its last output, and the file with all of it. */
  lastLines(): string;
}

/** Starts a worker in a process of its own, as it is deployed; the caller's environment does not change it. */
export function startWorker({
  name,
  databaseUrl,
  engineClient,
  smtpUrl,
  shutdownDeadlineMs,
  onWarning,
}: StartWorkerOptions): DrillWorker {
  const lines: string[] = [];
  const logs = join(stateDir, 'logs');
  mkdirSync(logs, { recursive: true });
  const path = join(logs, `${name}.log`);
  const file = openSync(path, 'w');
  const onLine = (line: string): void => {
    writeSync(file, `${line}\n`);
    if (isWarning(line)) onWarning(line);
    lines.push(line);
    if (lines.length > LINES_KEPT) lines.shift();
  };
  const env = {
    DATABASE_URL: databaseUrl,
    ENGINE_CLIENT: engineClient,
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
    ALERT_SMTP_URL: '',
    ALERT_MAIL_TO: '',
    LOG_LEVEL: 'info',
  };
  const service = startService({ name, main: 'apps/worker/dist/main.js' }, { env, onLine });
  const exited = service.exited.finally(() => closeSync(file));
  return { ...service, exited, lastLines: () => `${lines.join('\n')}\nAll of it: ${below(path)}` };
}
