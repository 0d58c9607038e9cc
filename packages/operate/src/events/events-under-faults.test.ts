import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Catalog } from '@duework/contracts';
import { registerDefinitions } from '@duework/queue-core';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { replayEvents } from './replay-events.js';

const database = useTestDatabase();
const program = fileURLToPath(new URL('../testing/event-program.mjs', import.meta.url));
type Role = 'publisher' | 'worker' | 'late';
const kept = new Set<Kept>();

beforeEach(async () => {
  await database.db.$executeRaw`CREATE TABLE orders (n integer PRIMARY KEY)`;
  await database.db.$executeRaw`CREATE TABLE ran (type text, n integer)`;
  await database.db.$executeRaw`CREATE TABLE wrong (n integer)`;
});
afterEach(() => Promise.all([...kept].map((one) => one.stop())));

/** A program that is started again when it ends, for whatever reason. */
class Kept {
  #child: ChildProcess;
  #isStopped = false;

  constructor(private readonly role: Role) {
    kept.add(this);
    this.#child = this.#start();
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, [program, database.url, this.role], { stdio: 'ignore' });
    child.once('exit', () => {
      if (!this.#isStopped) this.#child = this.#start();
    });
    return child;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    kept.delete(this);
    this.kill();
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
  }
}

/** Cuts a connection that does something. */
async function cut(): Promise<void> {
  await database.db.$executeRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle' ORDER BY random() LIMIT 1`;
}
const hasSubscribed = async (type: string): Promise<boolean> =>
  (await database.db.jobDefinition.count({ where: { type } })) === 1;
const count = async (sql: TemplateStringsArray): Promise<number> =>
  (await database.db.$queryRaw<[{ count: number }]>(sql))[0].count;
const orders = () => count`SELECT count(*)::int AS count FROM orders`;
const alive = () => count`SELECT count(*)::int AS count FROM duework.job_runs`;

/** How often each type was enqueued, and ran, for an order, and whether that is once for each. */
const tally = () => database.db.$queryRaw`
  SELECT j.type, count(*)::int AS jobs, count(DISTINCT j.n)::int AS orders,
    count(*) FILTER (WHERE j.status <> 'succeeded')::int AS others,
    (SELECT count(*)::int FROM ran r WHERE r.type = j.type) AS ran,
    (SELECT count(*)::int FROM orders o WHERE NOT EXISTS (SELECT FROM ran r WHERE r.type = j.type AND r.n = o.n)) AS missed
  FROM (SELECT job_type AS type, status, (payload ->> 'n')::int AS n FROM duework.jobs) j GROUP BY 1 ORDER BY 1`;

test('while programs are killed and connections cut, each event that committed reaches each subscriber once, and none without its transaction', async () => {
  const { catalog } = (await import(program)) as { catalog: Catalog };
  await registerDefinitions(database.db, catalog);
  const publishers = [new Kept('publisher'), new Kept('publisher')];
  const worker = new Kept('worker');
  for (let turn = 0, seen = 0; turn < 6; turn++) {
    // not before it has got on
    while ((await orders()) < seen + 20) await pause(20);
    seen = await orders();
    if (turn % 3 === 2) await cut();
    else if (turn % 3 === 1) worker.kill();
    else publishers[turn % 2]!.kill();
  }
  await Promise.all(publishers.map((one) => one.stop()));
  const published = await orders();
  while ((await alive()) > 0) await pause(20);
  const exact = { jobs: published, orders: published, others: 0, ran: published, missed: 0 };
  expect(await tally()).toEqual([
    { type: 'book', ...exact },
    { type: 'receipt', ...exact },
  ]);
  expect(await count`SELECT count(*)::int AS count FROM wrong`).toBe(0);

  // a new subscriber is given what it has not had, by two at once, one of whom is cut off
  const latecomer = new Kept('late');
  while (!(await hasSubscribed('late'))) await pause(20);
  const asked = { event: 'order_paid', to: 'late', from: new Date(0) };
  const replays = [0, 1].map(() => replayEvents(database.connect({ poolSize: 1 }), asked));
  await cut();
  await Promise.allSettled(replays);
  await replayEvents(database.db, asked);
  while ((await alive()) > 0) await pause(20);
  expect(await tally()).toEqual(['book', 'late', 'receipt'].map((type) => ({ type, ...exact })));
  expect(await replayEvents(database.db, asked)).toEqual({ replayed: 0, nextFrom: null });
  await latecomer.stop();
});
