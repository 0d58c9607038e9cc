import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkDatabase, connectPg, connectPrisma } from '@duework/database';
import { migrateDatabase } from '@duework/database/migrate';
import { createQueueHandler, type Principal } from '@duework/http';
import { enqueue, enqueueBatch, jobRequest, type Queryable, signal } from '@duework/queue-core';
import { root } from '../../../bootstrap/paths.mjs';
import { waitUntil } from '../../kit/wait-until.js';
import { catalog, done, greet, limited, order, paid } from './jobs.js';
import { startCheckWorker } from './start-check-worker.js';

const CALLER: Principal = {
  id: 'local',
  name: 'local',
  kind: 'local',
  scopes: ['read', 'payloads'],
  types: null,
  from: null,
};

/** How many jobs of a filter have succeeded, as the API says; null: it took too long, as it may on a slow machine. */
async function countSucceeded(db: object, filter: string): Promise<number | null> {
  const path = `/v1/jobs?limit=100&filter=${encodeURIComponent(`status:succeeded ${filter}`)}`;
  const handler = createQueueHandler({ db: db as never, catalog, authorize: async () => CALLER });
  const response = await handler(new Request(`http://127.0.0.1${path}`));
  const text = await response.text();
  if (text.includes('query_too_slow')) return null;
  if (!response.ok) throw new Error(`The API answered ${path} with ${response.status}: ${text}`);
  return (JSON.parse(text) as { jobs: unknown[] }).jobs.length;
}

/** Without holding up a proxy of this process. */
const run = promisify(execFile);

/** How a program reaches its database: `worker` through the same. */
export type ClientName = 'pg' | 'prisma';

interface Place {
  readonly url: string;
  /** Past the pooler, for migrations. */
  readonly directUrl: string;
}

const LIMIT_MS = 60_000;
const LOOK_MS = 300;
const EXACT = [
  ['type:greet', 5],
  ['type:limited', 2],
  ['type:order', 1],
  ['type:done', 1],
] as const;
const EXPECTED = [...EXACT, ['type:tick', 1]] as const;
const ROLLED_BACK = 'rolled back on purpose';

/**
 * One of each kind of session: migrates, enqueues in a transaction, begins a batch, a limit and a workflow, has a worker run
 * them with the due times of a schedule, asks API and command, and stops the worker. Throws what did not happen.
 */
export async function runScenario({ url, directUrl }: Place, client: ClientName): Promise<void> {
  await migrateDatabase({ url: directUrl, databaseWaitMs: 0 });
  const db = client === 'pg' ? connectPg({ url, poolSize: 3 }) : connectPrisma({ url, poolSize: 3 });
  const worker = startCheckWorker(url, client);
  try {
    await worker.started;
    await checkDatabase(db, url);
    await enqueueAll(db, client);
    await sendSignal(url);
    const count = (filter: string): Promise<number | null> => countSucceeded(db, filter);
    for (const [filter, expected] of EXPECTED) {
      const isSo = async (): Promise<boolean> => ((await count(filter)) ?? 0) >= expected;
      const what = `${expected} jobs of ${filter} had not succeeded`;
      await worker.orFails(waitUntil(what, isSo, { limitMs: LIMIT_MS, everyMs: LOOK_MS }));
    }
    for (const [filter, expected] of EXACT) {
      const found = await waitUntil('no answer', () => count(filter), { limitMs: LIMIT_MS });
      if (found !== expected) throw new Error(`${found} jobs of ${filter} succeeded instead of ${expected}.`);
    }
    await askCommand(url);
    await worker.stop();
  } finally {
    worker.kill();
    await db.$disconnect();
  }
}

type Transacting = Queryable & { $transaction(run: (tx: Queryable) => Promise<unknown>): Promise<unknown> };

async function enqueueAll(given: object, client: ClientName): Promise<void> {
  const db = given as Transacting;
  await db.$transaction((tx) => enqueue(tx, greet, { n: 1 }));
  const undone = db.$transaction(async (tx) => {
    await enqueue(tx, greet, { n: 2 });
    throw new Error(ROLLED_BACK);
  });
  await undone.catch((error: unknown) => {
    if (!String(error).includes(ROLLED_BACK)) throw error;
  });
  await enqueueBatch(db, {
    name: `through ${client}`,
    jobs: [3, 4, 5].map((n) => jobRequest(greet, { n })),
    onSucceeded: jobRequest(done, { n: 6 }),
  });
  for (const n of [7, 8]) await enqueue(db, limited, { n });
  await enqueue(db, order, { n: 9 });
}

/** At READ COMMITTED, which a signal needs, whatever the sessions of others begin with. */
async function sendSignal(url: string): Promise<void> {
  const db = connectPg({ url, poolSize: 1 });
  await signal(db, paid, { n: 9 }).finally(() => db.$disconnect());
}

/** The command says nothing on stderr. */
async function askCommand(url: string): Promise<void> {
  const main = join(root, 'packages/cli/dist/main.js');
  const env = { PATH: process.env['PATH'], DATABASE_URL: url };
  for (const verb of ['status', 'jobs']) {
    const { stderr } = await run(process.execPath, [main, verb], { env });
    if (stderr !== '') throw new Error(`duework ${verb} said ${stderr}`);
  }
}
