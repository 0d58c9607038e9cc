import { test } from '@jest/globals';
import { useTestDatabase, testContracts, echo } from '@duework/testing/fixtures';
import { openQueue, enqueue, systemClock } from './index.js';
import { BoundedClaims } from './store/bounded-claims.js';
import { FiguresTally } from './figures/figures-tally.js';
import { writeFigures } from './sql/write-figures.js';
import { sampleDepth } from './sql/sample-depth.js';
import { explainJob, readWorkers, readQueues } from '@duework/operate';
import { claimRuns } from './sql/claim-runs.js';

const database = useTestDatabase();
const out = (...x: unknown[]) => process.stderr.write(x.join(' ') + '\n');
const time = async (name: string, n: number, f: () => Promise<unknown>) => {
  const ms: number[] = [];
  for (let i = 0; i < n; i++) {
    const a = performance.now();
    await f();
    ms.push(performance.now() - a);
  }
  ms.sort((a, b) => a - b);
  out(
    name,
    'p50',
    ms[Math.floor(n / 2)]!.toFixed(2),
    'p95',
    ms[Math.floor(n * 0.95)]!.toFixed(2),
    'max',
    ms.at(-1)!.toFixed(2),
  );
};
test('measure', async () => {
  const db = database.connectPg({ poolSize: 3 });
  const req = { queue: 'default', contracts: testContracts, worker: 'w', limit: 10 };
  await time('empty claim, nothing paused', 500, () => claimRuns(db, req));
  const t = new FiguresTally(systemClock);
  const run = { queue: 'default', type: 'echo', waitedMs: 3 } as never;
  const a = process.cpuUsage();
  const N = 5_000_000;
  for (let i = 0; i < N; i++)
    t.note(
      i & 1
        ? ({ name: 'job.claimed', run, worker: 'w' } as never)
        : ({ name: 'job.succeeded', run, worker: 'w', ranMs: i & 63 } as never),
    );
  out('tally ns per event', ((process.cpuUsage(a).user * 1000) / N).toFixed(1));
  const rows = Array.from({ length: 50 }, (_, i) => ({
    atMs: Date.now(),
    queue: 'default',
    type: `t${i}`,
    claimed: 1,
    succeeded: 1,
    failed: 0,
    dead: 0,
    cancelled: 0,
    snoozed: 0,
    waited: Array(16).fill(1),
    ran: Array(16).fill(1),
    waitedMs: 1,
    ranMs: 1,
  }));
  await time('flush of 50 types', 100, () => writeFigures(db, rows));
  await time('sample with turn taken', 100, () => sampleDepth(db));
  await database.db.$executeRaw`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT 'default', 'charge', 1, 5, now() - interval '1 hour' + n * interval '1 millisecond', '{"invoice":1}', 10 FROM generate_series(1, 1000000) AS n`;
  await database.db.$executeRaw`VACUUM ANALYZE duework.job_runs`;
  await database.db.$executeRaw`DELETE FROM duework.figures_minutes`;
  await time('sample with a million waiting', 1, () => sampleDepth(db));
  await openQueue(db).pauseType('charge');
  const bounded = new BoundedClaims(db, systemClock);
  const ms: number[] = [];
  const pick: number[] = [];
  const end = performance.now() + 20_000;
  while (performance.now() < end) {
    await enqueue(db, echo, { n: 1 });
    const s = performance.now();
    let got = 0;
    while (got === 0) {
      const c = performance.now();
      got = (await bounded.claim(req)).runs.length;
      ms.push(performance.now() - c);
    }
    pick.push(performance.now() - s);
    await new Promise((r) => setTimeout(r, 5));
  }
  ms.sort((x, y) => x - y);
  pick.sort((x, y) => x - y);
  const q = (l: number[], p: number) => l[Math.floor(l.length * p)]!.toFixed(2);
  out(
    'claims beside a paused million:',
    ms.length,
    'p50',
    q(ms, 0.5),
    'p99',
    q(ms, 0.99),
    'max',
    ms.at(-1)!.toFixed(1),
    'over 50ms',
    ms.filter((m) => m > 50).length,
    'sum of those',
    ms
      .filter((m) => m > 50)
      .reduce((x, y) => x + y, 0)
      .toFixed(0),
  );
  out('pickup p50', q(pick, 0.5), 'p99', q(pick, 0.99));
  await openQueue(db).resumeType('charge');
  const s = performance.now();
  const first = await bounded.claim(req);
  out('first claim after resume', (performance.now() - s).toFixed(1), first.runs.map((r) => r.type).join());
  const { id } = await enqueue(db, echo, { n: 2 });
  await database.db
    .$executeRaw`INSERT INTO duework.worker_contracts (worker, queues, contracts) VALUES ('w1', '{default}', '{"echo":[1,1],"charge":[1,1]}')`;
  await time('explain behind a million', 20, () => explainJob(database.db, id));
  out(JSON.stringify(await explainJob(database.db, id)));
  await time('readWorkers beside a million', 20, () => readWorkers(database.db));
  await time('readQueues beside a million', 20, () => readQueues(database.db));
}, 120_000);
