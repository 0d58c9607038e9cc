import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openPool } from '../../kit/open-client.js';
import { startService } from '../../kit/start-service.js';
import { waitUntil } from '../../kit/wait-until.js';
import type { Episode, Seen, Told } from './judge-episodes.js';

const STEP_MS = 20_000;
/** An alert is over two minutes after its cause; whoever looks does so once a minute, and may be killed in the middle. */
const OVER_MS = 600_000;

/** Has things go wrong for a while, and kills whoever tells it. Resolves when all was told, or could have been. */
export async function runEpisodes(databaseUrl: string, forMs: number, say: (line: string) => void): Promise<Told> {
  const witness = await startWitness();
  const db = openPool(databaseUrl, 2);
  // its sessions are ended, too
  db.on('error', () => {});
  const env = {
    ...{ DATABASE_URL: databaseUrl, HOST: '127.0.0.1', API_PORT: '0', API_KEYS: 'off', LOG_LEVEL: 'info' },
    ...{ ALERT_WEBHOOK_URL: witness.url, ALERT_UNSERVED_SECONDS: '86400' },
  };
  const start = () => startService({ name: 'api', main: 'apps/api/dist/main.js' }, { env, onLine: () => {} });
  const apis = [start(), start()];
  const faults = { kills: 0, cuts: 0 };
  const episodes: Episode[] = [];
  const ends: Promise<void>[] = [];
  try {
    const untilMs = Date.now() + forMs;
    for (let step = 0; Date.now() < untilMs; step++) {
      ends.push(goWrong(db, `q${step}`, 60_000 + Math.random() * 120_000, episodes));
      await sleep(STEP_MS);
      if (step % 4 === 1) {
        const at = faults.kills++ % apis.length;
        apis[at]!.stop('SIGKILL');
        await apis[at]!.exited;
        apis[at] = start();
      }
      if (step % 4 === 3) {
        faults.cuts++;
        await insist(
          db,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
      }
      if (step % 6 === 5) say(`${episodes.length} have gone wrong, ${witness.seen.length} posts.`);
    }
    await Promise.all(ends);
    const isOver = (): boolean =>
      new Set(witness.seen.filter(({ status }) => status === 'resolved').map(({ id }) => id)).size >= episodes.length;
    await waitUntil('Not all are over', isOver, { limitMs: OVER_MS, everyMs: 1_000 }).catch(() => {});
    return { episodes, seen: witness.seen, ...faults };
  } finally {
    for (const api of apis) {
      api.stop('SIGKILL');
      await api.exited;
    }
    await db.end();
    await witness.stop();
  }
}

/** A job of a queue has waited for an hour, until somebody takes it away. */
async function goWrong(db: pg.Pool, subject: string, forMs: number, episodes: Episode[]): Promise<void> {
  const begunMs = Date.now();
  await insist(
    db,
    `INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
      SELECT '${subject}', 'none', 1, 5, now() - interval '1 hour', '{}', 1
      WHERE NOT EXISTS (SELECT FROM duework.job_runs WHERE queue = '${subject}')`,
  );
  await sleep(forMs);
  await insist(db, `DELETE FROM duework.job_runs WHERE queue = '${subject}'`);
  episodes.push({ subject, begunMs, endedMs: Date.now() });
}

/** Asks again where the session was ended. */
const insist = (db: pg.Pool, text: string): Promise<unknown> =>
  waitUntil('The database does not answer', () =>
    db
      .query(text)
      .then(() => true)
      .catch(() => false),
  );

/** Has what is posted, and answers every third with an error. */
async function startWitness() {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const { id, subject, status } = JSON.parse(text) as Seen;
      seen.push({ id, subject, status, atMs: Date.now() });
      response.writeHead(seen.length % 3 === 0 ? 503 : 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const stop = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { seen, stop, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
