import { createPostgresStore } from '@duework/queue-core';
import { FiguresTally } from '@duework/queue-core/internals';
import pg from 'pg';
import { readTreeCpuMicros } from '../bench/gauges/read-cpu.js';
import { fillWaiting, forgetSamples, readBackendPid } from './sql.js';

const WORKERS = 16;
const TYPES = 50;
const WAITING = 200_000;
const MINUTES = 20;
const JOBS = 1_000_000;
const JOBS_PER_SECOND = 5_000;
const MAX_SHARE = 0.01;

const percent = (share: number): string => `${(share * 100).toFixed(3)} %`;
const runOf = (index: number) => ({ queue: 'default', type: `type-${index % TYPES}`, waitedMs: index % 3_000 });

/** What the figures of many workers cost the server, and those of a busy worker that worker; returns whether it is little. */
export async function measureFigures(url: string): Promise<boolean> {
  const db = new pg.Pool({ connectionString: url, max: 1 });
  await fillWaiting(db, WAITING);
  const server = await measureServer(db);
  await db.end();
  const perJobMicros = measureTally();
  const worker = (perJobMicros * JOBS_PER_SECOND) / 1e6;
  process.stdout.write(
    `figures of ${WORKERS} workers and ${TYPES} types, beside ${WAITING} waiting jobs: ${percent(server)} of a core of the server\n` +
      `figures of a worker: ${perJobMicros.toFixed(2)} µs a job, ${percent(worker)} of a core at ${JOBS_PER_SECOND} jobs/s\n`,
  );
  return server <= MAX_SHARE && worker <= MAX_SHARE;
}

/** The share of a core that one connection needs to write what all workers write. */
async function measureServer(db: pg.Pool): Promise<number> {
  const store = createPostgresStore({ db });
  const pid = await readBackendPid(db);
  const write = async (minute: number): Promise<void> => {
    // each minute is sampled once; the minutes before have been written already
    await forgetSamples(db);
    for (let worker = 0; worker < WORKERS; worker++) {
      const tally = new FiguresTally();
      fill(tally, TYPES * 40);
      tally.endMinute(Date.now() - minute * 60_000);
      await store.writeFigures!(tally.take());
    }
  };
  await write(0);
  const before = readTreeCpuMicros(pid) ?? 0;
  for (let minute = 1; minute <= MINUTES; minute++) await write(minute);
  const micros = (readTreeCpuMicros(pid) ?? 0) - before;
  return micros / MINUTES / 60e6;
}

/** The processor time of adding one job up, in microseconds. */
function measureTally(): number {
  const tally = new FiguresTally();
  fill(tally, JOBS / 10);
  const before = process.cpuUsage();
  fill(tally, JOBS);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / JOBS;
}

function fill(tally: FiguresTally, jobs: number): void {
  for (let index = 0; index < jobs; index++) {
    const run = runOf(index) as never;
    tally.note({ name: 'job.claimed', run, worker: 'w' } as never);
    tally.note({ name: 'job.succeeded', run, worker: 'w', ranMs: index % 1_000 } as never);
  }
}
