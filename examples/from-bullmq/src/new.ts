/** The same application on Duework. */
import { setTimeout as pause } from 'node:timers/promises';
import { bury, complete, DueworkError, jobRequest, openQueue, workflowHandler, type Handlers } from 'duework';
import { pauseQueue, resumeQueue } from 'duework/operate';
import { saveSchedule } from 'duework/schedules';
import { isolated, runWorker } from 'duework/worker';
import { Pool } from 'pg';
import { call, catalog, hopeless, note, noteOnce, noteQuietly, ring, shaky, square, sum, thumbnail } from './jobs.js';
import type { Outcomes } from './outcomes.js';

export async function runNew(databaseUrl: string): Promise<Outcomes> {
  const pool = new Pool({ connectionString: databaseUrl });
  const queue = openQueue(pool);
  const ran: number[] = [];
  const calledAt: number[] = [];
  let startedAt = 0;

  const handlers: Handlers<typeof catalog> = {
    note({ payload }) {
      startedAt = Date.now();
      ran.push(payload.n);
    },
    note_once: () => {},
    note_quietly: ({ payload }) => void ran.push(payload.n),
    shaky({ attempt }) {
      if (attempt < 3) throw new Error('the provider is away');
      return complete(attempt);
    },
    hopeless: () => bury('address_unknown', 'no such address'),
    square({ payload, progress }) {
      progress({ done: payload.n });
      return complete(payload.n * payload.n);
    },
    sum: workflowHandler(sum),
    call: () => void calledAt.push(Date.now()),
    ring: () => void calledAt.push(Date.now()),
    thumbnail: isolated(new URL('./new-thumbnail.js', import.meta.url)),
  };
  const ended = (contract: typeof note | typeof noteQuietly, { id }: { readonly id: string }) =>
    queue.result(contract, id, { wait: '30s' });

  // before a worker starts, so that what is first is first
  await queue.enqueue(note, { n: 1 }, { priority: 3 });
  await queue.enqueue(note, { n: 2 });
  await queue.enqueue(note, { n: 3 }, { priority: 1 });
  const last = await queue.enqueue(note, { n: 4 }, { priority: 9 });
  const stopping = new AbortController();
  const options = { catalog, handlers, databaseUrl, concurrency: 1, workerPort: 'none', argv: [] } as const;
  const worker = runWorker({ ...options, handleSignals: false, signal: stopping.signal });
  await ended(note, last);
  const order = ran.splice(0);

  const addedAt = Date.now();
  await ended(note, await queue.enqueue(note, { n: 5 }, { delay: '400ms' }));
  const isDelayed = startedAt - addedAt >= 400;

  const far = await queue.enqueue(note, { n: 6 }, { delay: '1h' });
  await queue.updateJob(far.id, { contract: note, payload: { n: 7 } });
  await queue.retryJob(far.id);
  await ended(note, far);
  const changed = ran.at(-1)!;

  const attempts = await queue.result(shaky, (await queue.enqueue(shaky, { n: 8 })).id, { wait: '30s' });
  const { id } = await queue.enqueue(hopeless, { n: 9 });
  await queue.result(hopeless, id, { wait: '30s' }).catch((error: unknown) => {
    if (!DueworkError.is(error, 'job_failed')) throw error;
  });
  const { job } = await queue.getJob(id);

  const first = await queue.enqueue(noteOnce, { n: 10, account: 7 });
  const second = await queue.enqueue(noteOnce, { n: 11, account: 7 });
  const isDeduplicated = first.id === second.id;
  ran.length = 0;
  const quiet = { delay: '300ms' } as const;
  for (const n of [12, 13]) await queue.enqueue(noteQuietly, { n, box: 'search' }, quiet);
  await ended(noteQuietly, await queue.enqueue(noteQuietly, { n: 14, box: 'search' }, quiet));
  const debounced = [...ran];

  const total = await queue.result(sum, (await queue.enqueue(sum, { numbers: [3, 4] })).id, { wait: '30s' });
  const measured = await queue.enqueue(square, { n: 15 });
  await queue.result(square, measured.id, { wait: '30s' });
  const { progress } = (await queue.getJob(measured.id)).job;

  await pauseQueue(pool, 'mail', { reason: 'the provider is down' });
  ran.length = 0;
  const held = await queue.enqueue(note, { n: 16 });
  await pause(500);
  const whilePaused = [...ran];
  await resumeQueue(pool, 'mail');
  await ended(note, held);

  const calledFrom = Date.now();
  await queue.enqueueMany([18, 19, 20, 21, 22, 23].map((n) => jobRequest(n % 2 ? ring : call, { n })));
  while (calledAt.length < 6) await pause(20);
  const isLimited = calledAt.at(-1)! - calledFrom >= 1_000;

  const crashing = await queue.enqueue(thumbnail, { n: 24, side: 0 });
  const crashed = await queue.result(thumbnail, crashing.id, { wait: '30s' }).catch((error: unknown) => {
    if (!DueworkError.is(error, 'job_failed')) throw error;
    return 'failed';
  });
  const painted = await queue.enqueue(thumbnail, { n: 25, side: 15 });
  const { pid, ...picture } = await queue.result(thumbnail, painted.id, { wait: '30s' });
  const { progress: painting } = (await queue.getJob(painted.id)).job;

  const rule = { cron: '0 3 * * *', timeZone: 'Europe/Vienna' } as const;
  const { nextDueAt } = await saveSchedule(pool, note, { key: 'nightly', ...rule, payload: { n: 17 } });

  stopping.abort();
  await worker;
  await pool.end();
  return {
    order,
    isDelayed,
    changed,
    attempts,
    hopeless: { failure: job.lastError!, attempts: job.attempts },
    isDeduplicated,
    debounced,
    total,
    progress,
    whilePaused,
    isLimited,
    crashed,
    thumbnail: { ...picture, progress: painting, isElsewhere: pid !== process.pid },
    nightly: nextDueAt!.toISOString(),
  };
}
