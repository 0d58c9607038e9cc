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
const children = new Set<ChildProcess>();
type Role = 'publisher' | 'worker';

beforeEach(async () => {
  await database.db.$executeRaw`CREATE TABLE orders (n integer PRIMARY KEY)`;
  await database.db.$executeRaw`CREATE TABLE ran (type text, n integer)`;
  await database.db.$executeRaw`CREATE TABLE wrong (n integer)`;
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

function start(role: Role): ChildProcess {
  const child = spawn(process.execPath, [program, database.url, role], { stdio: 'inherit' });
  children.add(child);
  return child;
}
async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
  children.delete(child);
}
/** Kills one of its programs, or cuts a connection of the database. */
async function strike(all: ChildProcess[], role: Role, turn: number): Promise<void> {
  if (turn % 3 === 0)
    await database.db.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle' ORDER BY random() LIMIT 1`;
  else {
    const at = turn % all.length;
    await kill(all[at]!);
    all[at] = start(role);
  }
}
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
  const { catalog, late } = (await import(program)) as { catalog: Catalog; late: Catalog[number] };
  await registerDefinitions(database.db, catalog);
  const publishers = [start('publisher'), start('publisher')];
  const workers = [start('worker')];
  for (let turn = 1, seen = 0; turn <= 10 || seen < 300; turn++) {
    // not before it has got on
    while ((await orders()) < seen + 20) await pause(20);
    seen = await orders();
    await strike(turn % 4 === 0 ? workers : publishers, turn % 4 === 0 ? 'worker' : 'publisher', turn);
  }
  await Promise.all(publishers.map(kill));
  const published = await orders();
  while ((await alive()) > 0) await pause(20);
  const once = { jobs: published, orders: published, others: 0, ran: published, missed: 0 };
  expect(await tally()).toEqual([
    { type: 'book', ...once },
    { type: 'receipt', ...once },
  ]);
  expect(await count`SELECT count(*)::int AS count FROM wrong`).toBe(0);

  // a new subscriber is given what it has not had, by two at once, one of whom is cut off
  await registerDefinitions(database.db, [late]);
  const asked = { event: 'order_paid', to: 'late', from: new Date(0) };
  const replays = [0, 1].map(() => replayEvents(database.connect({ poolSize: 1 }), asked));
  await strike(workers, 'worker', 3);
  await Promise.allSettled(replays);
  await replayEvents(database.db, asked);
  while ((await alive()) > 0) await pause(20);
  expect(await tally()).toEqual(['book', 'late', 'receipt'].map((type) => ({ type, ...once })));
  expect(await replayEvents(database.db, asked)).toEqual({ replayed: 0, nextFrom: null });
  await Promise.all(workers.map(kill));
});
