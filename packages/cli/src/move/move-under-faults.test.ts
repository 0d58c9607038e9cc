import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connectPg } from '@duework/database';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { queryRows, sql } from '@duework/sql';
import { startRedis } from '@duework/bullmq/testing';
import { Queue } from 'bullmq';
import { makeWorkerUtils } from 'graphile-worker';
import { PgBoss } from 'pg-boss';
import { makeProject, type TestProject } from '../testing/make-project.js';
import { startCommand, type StartedCommand } from '../testing/run-command.js';
import { openGraphilePool } from './testing/open-graphile-pool.js';

const JOBS = 2_500;
type System = 'pg-boss' | 'graphile-worker';

let database: TestDatabase;
let project: TestProject;
let db: ReturnType<typeof connectPg>;
const started: StartedCommand[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  db = connectPg({ url: database.url });
  await queryRows(db, sql`CREATE TABLE public.witness (n integer NOT NULL, side text NOT NULL)`);
  await queryRows(db, sql`CREATE TABLE public.came AS SELECT 0::bigint AS n`);
  project = makeProject(
    {
      'package.json': '{ "type": "module", "duework": { "jobs": "./jobs.js" } }',
      'jobs.js': `
        import { complete, defineCatalog, defineJob } from 'duework';
        import { Pool } from 'pg';
        import { z } from 'zod';
        export const catalog = defineCatalog([defineJob({ type: 'send-mail', payload: z.object({ n: z.int() }) })]);
        const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 2 });
        pool.on('error', () => {});
        export const handlers = {
          async 'send-mail'({ payload }) {
            await pool.query("INSERT INTO witness (n, side) VALUES ($1, 'new')", [payload.n]);
            process.stdout.write('ran\\n');
            return complete();
          },
        };`,
    },
    ['duework', 'zod', 'pg', '@duework/bullmq'],
  );
});
afterEach(async () => {
  for (const { kill } of started) kill('SIGKILL');
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(started.splice(0).map(({ ended }) => ended));
  await Promise.all(children.splice(0).map(untilItEnded));
  project.remove();
  await db.$disconnect();
  await database.drop();
});

async function untilItEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

const command = (args: readonly string[], more: Readonly<Record<string, string>> = {}): StartedCommand => {
  const env = { DATABASE_URL: database.url, WORKER_PORT: 'none', ...more };
  const one = startCommand(args, { cwd: project.dir, env });
  started.push(one);
  return one;
};
const move = (system: System, ...more: string[]): StartedCommand =>
  command(['move', '--from', system, '--yes', ...more]);

/** A worker of the old program. */
async function startOld(system: System): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('testing/old-worker.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, system, database.url], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await once(child.stdout!, 'data');
  child.stdout!.resume();
  return child;
}

async function startNew(): Promise<StartedCommand> {
  const worker = command(['worker']);
  await worker.waitFor('worker.started');
  return worker;
}

async function seed(system: System): Promise<void> {
  const numbers = Array.from({ length: JOBS }, (_, n) => n);
  if (system === 'pg-boss') {
    const boss = new PgBoss({ connectionString: database.url, supervise: false, schedule: false });
    await boss.start();
    await boss.createQueue('send-mail');
    await boss.insert(
      'send-mail',
      numbers.map((n) => ({ data: { n } })),
    );
    await boss.stop({ graceful: false });
  } else {
    const pgPool = openGraphilePool(database.url);
    const utils = await makeWorkerUtils({ pgPool });
    await utils.migrate();
    await utils.addJobs(numbers.map((n) => ({ identifier: 'send-mail', payload: { n } })));
    await utils.release();
    await pgPool.end();
  }
}

/** Who has run each job, and who has it in a table. */
async function whereAll(system: System | 'none'): Promise<Map<number, string[]>> {
  const there =
    system === 'none'
      ? sql`SELECT 0, '' WHERE false`
      : system === 'pg-boss'
        ? sql`SELECT (data ->> 'n')::integer, 'there ' || state FROM pgboss.job WHERE state <> 'completed'`
        : sql`SELECT (payload ->> 'n')::integer, 'there' FROM graphile_worker._private_jobs`;
  const rows = await queryRows<{ n: number; place: string }>(
    db,
    sql`
    SELECT n, 'ran ' || side AS place FROM public.witness UNION ALL ${there}
    UNION ALL SELECT (payload ->> 'n')::integer, 'here ' || status FROM duework.jobs WHERE status <> 'succeeded'`,
  );
  const places = new Map<number, string[]>(Array.from({ length: JOBS }, (_, n) => [n, []]));
  for (const { n, place } of rows) places.get(n)!.push(place);
  return places;
}

/** The jobs of which `isWrong` says so. */
const wrong = (all: Map<number, string[]>, isWrong: (places: string[]) => boolean): [number, string[]][] =>
  [...all].filter(([, places]) => isWrong(places)).slice(0, 20);

/** Resolves when more jobs are here than `came` says, or the mover has ended. */
async function untilSomeCame({ ended }: StartedCommand): Promise<void> {
  const over = new AbortController();
  void ended.then(() => over.abort());
  while (!over.signal.aborted) {
    const [row] = await queryRows<{ more: boolean }>(
      db,
      sql`SELECT (SELECT count(*) FROM duework.jobs) > (SELECT n FROM public.came) AS more`,
    );
    if (row!.more) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function untilNoneWaits(): Promise<void> {
  for (;;) {
    const [row] = await queryRows<{ live: number }>(db, sql`SELECT count(*)::integer AS live FROM duework.job_runs`);
    if (row!.live === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const killBackends = async (name: string): Promise<void> => {
  await queryRows(
    db,
    sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = ${name}::text`,
  );
};

test.each(['pg-boss', 'graphile-worker'] as const)(
  'a move from %s that is killed, and loses its database, over and over beside workers of both moves each job once: it runs on one side, once',
  async (system) => {
    await seed(system);
    await startOld(system);
    const first = move(system);
    await first.waitFor('moved', 2);
    first.kill('SIGKILL');
    await startNew();
    for (const portions of [1, 3]) {
      const mover = move(system);
      await Promise.race([mover.waitFor('moved', portions), mover.ended]);
      if (portions === 1) await killBackends('duework-cli');
      else mover.kill('SIGKILL');
      await mover.ended;
    }
    const back = move(system, '--undo');
    await Promise.race([back.waitFor('moved', 2), back.ended]);
    back.kill('SIGKILL');
    await back.ended;
    for (let left = 1; left > 0;) {
      expect(await move(system).ended).toBe(0);
      await untilNoneWaits();
      left = wrong(await whereAll(system), (places) =>
        places.some((place) => /^there( created| retry)?$/.test(place)),
      ).length;
    }
    expect(wrong(await whereAll(system), (places) => places.length !== 1 || !places[0]!.startsWith('ran'))).toEqual([]);
  },
  240_000,
);

test.each(['pg-boss', 'graphile-worker'] as const)(
  'where workers of %s and of Duework are killed while it moves, each job runs on one side, or is named in one place',
  async (system) => {
    await seed(system);
    const old = await startOld(system);
    const mover = move(system);
    await mover.waitFor('moved');
    const worker = await startNew();
    old.kill('SIGKILL');
    worker.kill('SIGKILL');
    const [again] = [await startOld(system), await startNew()];
    await killBackends('old');
    await mover.ended;
    again.kill('SIGKILL');
    expect(await move(system).ended).toBe(0);
    await untilNoneWaits();
    const all = await whereAll(system);
    expect(wrong(all, (places) => places.length === 0)).toEqual([]);
    const sides = (places: string[]): number =>
      new Set(places.map((place) => (/^(ran new|here)/.test(place) ? 'new' : 'old'))).size;
    expect(wrong(all, (places) => sides(places) > 1)).toEqual([]);
  },
  240_000,
);

test('a move from BullMQ that is killed over and over, and loses its Redis, beside workers of both runs each job on one side', async () => {
  const redis = await startRedis({ appendfsync: 'always' });
  const client = redis.connect();
  const queue = new Queue('mail', { connection: client as never });
  try {
    await queue.addBulk(Array.from({ length: JOBS }, (_, n) => ({ name: 'send-mail', data: { n } })));
    const program = fileURLToPath(new URL('testing/old-bullmq-worker.mjs', import.meta.url));
    const args = [program, String(redis.port), database.url];
    const old = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    children.push(old);
    await once(old.stdout, 'data');
    const start = (): StartedCommand =>
      command(['move', '--from', 'bullmq', '--yes'], { REDIS_URL: `redis://127.0.0.1:${redis.port}` });
    for (const fault of ['mover', 'database', 'redis', 'mover'] as const) {
      const mover = start();
      await untilSomeCame(mover);
      if (fault === 'database') await killBackends('duework-cli');
      if (fault === 'redis') await redis.kill().then(() => redis.start());
      mover.kill('SIGKILL');
      await mover.ended;
      await queryRows(db, sql`UPDATE public.came SET n = (SELECT count(*) FROM duework.jobs)`);
    }
    old.kill('SIGKILL');
    await startNew();
    expect(await start().ended).toBe(0);
    await untilNoneWaits();
    const all = await whereAll('none');
    const running = new Set((await queue.getJobs(['active'])).map(({ data }) => (data as { n: number }).n));
    expect(wrong(all, (places) => places.length === 0).filter(([n]) => !running.has(n))).toEqual([]);
    expect(wrong(all, (places) => new Set(places).size > 1)).toEqual([]);
  } finally {
    await queue.close();
    client.disconnect();
    await redis.stop();
  }
});
