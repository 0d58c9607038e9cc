import { findFreePort } from '../lib/find-free-port.mjs';
import { startService } from '../start/start-service.mjs';

const LINES_KEPT = 20;

/** A worker in a process of its own, as it is deployed; `events` counts its log lines by name. */
export async function startWorker({ name, databaseUrl, smtpUrl, shutdownDeadlineMs }) {
  const events = new Map();
  const lines = [];
  const output = {
    take: (line) => {
      lines.push(line);
      if (lines.length > LINES_KEPT) lines.shift();
      const event = /"msg":"([a-z_.]+)"/.exec(line)?.[1];
      if (event !== undefined) events.set(event, (events.get(event) ?? 0) + 1);
    },
  };
  const env = {
    DATABASE_URL: databaseUrl,
    SMTP_URL: smtpUrl,
    WORKER_NAME: name,
    WORKER_PORT: String(await findFreePort()),
    CONCURRENCY: '5',
    POLL_INTERVAL_MS: '100',
    SHUTDOWN_DEADLINE_MS: String(shutdownDeadlineMs),
    LOG_LEVEL: 'info',
  };
  const service = startService({ name, main: 'apps/worker/dist/main.js' }, env, output);
  return { ...service, events, lastLines: () => lines.join('\n') };
}
