/**
 * `npm run measure:tables`: how large job_runs and its indexes are while 200,000 runs go through, with autovacuum as it
 * comes; and how long retention takes with a million finished runs, a million keys and a million slots to remove, and
 * whom it holds up. On a PostgreSQL of its own, with the settings of the tests; take ratios from it, not absolute values.
 */
import { checkNode } from './lib/check-node.mjs';

checkNode();

const RUNS = 200_000;
const ROUND = 5_000;
/** A thousand runs a second, so that autovacuum comes round a few times, which it does once a minute. */
const ROUND_MS = 5_000;
const ROWS = 1_000_000;
const DAYS = 10;

const report = (line) => process.stdout.write(`${line}\n`);
const seconds = (ms) => `${(ms / 1_000).toFixed(2)} s`;
const megabytes = (bytes) => `${(Number(bytes) / 1_048_576).toFixed(1)} MB`;

async function timed(act) {
  const startMs = performance.now();
  await act();
  return performance.now() - startMs;
}

const noLog = { debug() {}, info() {}, warn() {}, error() {} };

/** Enqueues and settles rounds of runs, and tells how large the table has become. */
async function measureGrowth(
  db,
  engineDb,
  url,
  { createPostgresStore, createWorker, enqueueMany, jobRequest, keepLeasesInThread },
  { defineCatalog, defineJob },
  { parseDatabaseUrl },
  z,
) {
  const job = defineJob({ type: 'measured', payload: z.object({ n: z.int() }) });
  const catalog = defineCatalog([job]);
  const handlers = { measured: async () => undefined };
  const leases = keepLeasesInThread({ ...parseDatabaseUrl(url), catalog });
  const worker = createWorker({
    name: 'measure',
    store: createPostgresStore({ db: engineDb }),
    leases,
    catalog,
    handlers,
    emit: () => {},
    logOf: () => noLog,
    concurrency: 200,
    buffer: 1_000,
    pollIntervalMs: 50,
  });
  await worker.start();
  for (let done = 0; done < RUNS; done += ROUND) {
    const roundMs = await timed(async () => {
      await enqueueMany(
        engineDb,
        Array.from({ length: ROUND }, (_, n) => jobRequest(job, { n })),
      );
      while ((await db.$queryRawUnsafe('SELECT 1 FROM duework.job_runs LIMIT 1')).length > 0)
        await new Promise((resolve) => setTimeout(resolve, 50));
    });
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, ROUND_MS - roundMs)));
    if ((done + ROUND) % 20_000 > 0) continue;
    const [size] =
      await db.$queryRawUnsafe(`SELECT pg_relation_size('duework.job_runs') AS heap, pg_indexes_size('duework.job_runs') AS indexes,
      autovacuum_count::int AS vacuums FROM pg_stat_user_tables WHERE relid = 'duework.job_runs'::regclass`);
    report(
      `${done + ROUND} runs went through: job_runs ${megabytes(size.heap)}, its indexes ${megabytes(size.indexes)}, vacuumed ${size.vacuums} times`,
    );
  }
  await worker.stop({ deadlineMs: 1_000 });
}

/** Old rows of everything that retention removes. */
async function fillOld(db) {
  for (let day = 1; day <= DAYS; day++) {
    const at = `((now() AT TIME ZONE 'UTC')::date - 40 - ${day})::timestamp AT TIME ZONE 'UTC'`;
    await db.$executeRawUnsafe(`DO $$ BEGIN EXECUTE format('CREATE TABLE duework.job_history_succeeded_%s PARTITION OF duework.job_history_succeeded FOR VALUES FROM (%L) TO (%L)',
      to_char(${at} AT TIME ZONE 'UTC', 'YYYYMMDD'), ${at}, ${at} + interval '1 day'); END $$`);
    await db.$executeRawUnsafe(`INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at, created_at, finished_at)
      SELECT -n - ${day * ROWS}, 'default', 'measured', 1, 'succeeded', 5, now(), '{"n":1}', 1, 3, 1, 'w', now(), now(), ${at} FROM generate_series(1, ${ROWS / DAYS}) AS n`);
  }
  await db.$executeRawUnsafe(
    `INSERT INTO duework.job_keys (job_type, key, run_id, needed_at) SELECT 'measured', n, -n, now() - interval '40 days' + n * interval '1 millisecond' FROM generate_series(1, ${ROWS}) AS n`,
  );
  await db.$executeRawUnsafe(`INSERT INTO duework.schedule_slots (schedule_id, slot_at, schedule_key, job_type, outcome, run_id, due_at, decided_at, late_ms)
    SELECT n % 1000, at, 's', 'measured', 'fired', n, at, at, 0 FROM generate_series(1, ${ROWS}) AS n CROSS JOIN LATERAL (SELECT now() - interval '80 days' + n * interval '1 second' AS at) AS x`);
}

/** Repeats a statement until `act` has ended; returns the longest that it took. */
async function longestWhile(db, statement, act) {
  const repeating = { isOver: false };
  const ended = act().finally(() => (repeating.isOver = true));
  let longestMs = 0;
  while (!repeating.isOver) longestMs = Math.max(longestMs, await timed(() => db.$executeRawUnsafe(statement)));
  await ended;
  return longestMs;
}

async function measureRetention(db, engineDb, { createPostgresStore, createTicker }) {
  await fillOld(db);
  const finish = `INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at, created_at, finished_at)
    SELECT nextval('duework.job_runs_id_seq'), 'default', 'measured', 1, 'succeeded', 5, now(), '{"n":1}', 1, 3, 1, 'w', now(), now(), now()`;
  const steps = [
    [`${ROWS} slots`, () => createTicker({ db: engineDb, catalog: [] }).retain(30)],
    [
      `${ROWS} keys, and ${ROWS} finished runs in ${DAYS} partitions`,
      () => createPostgresStore({ db: engineDb }).retain({ keepDays: 30, keepDeadDays: 90 }),
    ],
  ];
  for (const [what, act] of steps) {
    let ms;
    const longestMs = await longestWhile(db, finish, async () => (ms = await timed(act)));
    report(`${what}: removed in ${seconds(ms)}; meanwhile the slowest settlement took ${longestMs.toFixed(0)} ms`);
  }
  report(
    `retention with nothing to remove: ${(await timed(() => createPostgresStore({ db: engineDb }).retain({ keepDays: 30, keepDeadDays: 90 }))).toFixed(0)} ms`,
  );
}

async function measure(url) {
  const { createRequire } = await import('node:module');
  const { join } = await import('node:path');
  const { root } = await import('./lib/paths.mjs');
  const built = (name) => import(join(root, name, 'dist/index.js'));
  const [core, contracts, database] = await Promise.all(
    ['packages/queue-core', 'packages/contracts', 'packages/database'].map(built),
  );
  const { z } = createRequire(join(root, 'packages/contracts/package.json'))('zod');
  const db = database.connectPrisma({ url, poolSize: 4 });
  const engineDb = database.connectPg({ url, poolSize: 4 });
  await measureRetention(db, engineDb, core);
  await measureGrowth(db, engineDb, url, core, contracts, database, z);
  await Promise.all([db.$disconnect(), engineDb.$disconnect()]);
}

async function main() {
  const { runMain } = await import('./lib/run-main.mjs');
  const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
  const { runTurbo } = await import('./lib/run-turbo.mjs');
  const { withFreshDatabase } = await import('./lib/with-fresh-database.mjs');
  await runMain(async () => {
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir });
    await withFreshDatabase(measure);
    return 0;
  });
}

void main();
