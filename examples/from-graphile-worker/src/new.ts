/** The same application on Duework. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { complete, DueworkError, enqueue, jobRequest, openQueue, retry, type Handlers } from 'duework';
import { pauseType, resumeType } from 'duework/operate';
import { findSchedules, saveSchedule } from 'duework/schedules';
import { runWorker } from 'duework/worker';
import { Pool } from 'pg';
import { catalog, hopeless, inLine, note, part, search, shaky, ship } from './jobs.js';
import type { Outcomes } from './outcomes.js';

export async function runNew(databaseUrl: string): Promise<Outcomes> {
  const pool = new Pool({ connectionString: databaseUrl });
  const queue = openQueue(pool);
  const ran: number[] = [];
  const told = new EventEmitter();
  let startedAt = 0;
  let attempts = 0;
  const line: string[] = [];
  const parts: number[] = [];

  function keep({ payload: { n } }: { readonly payload: { readonly n: number } }): void {
    startedAt = Date.now();
    ran.push(n);
    told.emit(`ran ${n}`);
  }
  const handlers: Handlers<typeof catalog> = {
    note: keep,
    search: keep,
    slow: keep,
    ship: () => {},
    shaky({ attempt }) {
      attempts = attempt;
      if (attempt < 2) throw new Error('the provider is away');
      told.emit('shaky');
    },
    hopeless: () => Promise.reject(new Error('no such address')),
    async in_line({ payload: { n } }) {
      line.push(`${n} begins`);
      await pause(50);
      line.push(`${n} ends`);
      if (n === 9) told.emit('line');
    },
    part: (jobs) =>
      jobs.map(({ payload: { n } }) => {
        parts.push(n);
        if (parts.length === 4) told.emit('parts');
        return n === 11 && parts.length < 4 ? retry('the provider is away') : complete();
      }),
  };

  async function place(n: number, isPaid: boolean): Promise<void> {
    const tx = await pool.connect();
    await tx.query('BEGIN');
    await enqueue(tx, ship, { n });
    await tx.query(isPaid ? 'COMMIT' : 'ROLLBACK');
    tx.release();
  }
  await place(1, false);
  const rolledBack = await countOf(pool, 'ship');
  await place(2, true);
  const committed = await countOf(pool, 'ship');

  // before a worker starts, so that what is first is first
  await queue.enqueue(note, { n: 1 });
  await queue.enqueue(note, { n: 2 }, { priority: 5 - 1 });
  await queue.enqueue(note, { n: 3 }, { priority: 5 + 1 });
  const isLast = once(told, 'ran 3');
  const common = { catalog, handlers, databaseUrl, workerPort: 'none', argv: [], handleSignals: false } as const;
  const first = new AbortController();
  const alone = runWorker({ ...common, concurrency: 1, signal: first.signal });
  await isLast;
  first.abort();
  await alone;
  const inOrder = ran.splice(0);
  const stopping = new AbortController();
  const worker = runWorker({ ...common, concurrency: 4, signal: stopping.signal });

  const at = Date.now() + 500;
  const isOnTime = once(told, 'ran 4');
  await queue.enqueue(note, { n: 4 }, { runAt: new Date(at) });
  await isOnTime;
  const isDelayed = startedAt >= at;

  const isSteady = once(told, 'shaky');
  await queue.enqueue(shaky, { n: 5 });
  const { id } = await queue.enqueue(hopeless, { n: 6 });
  await isSteady;
  await queue.result(hopeless, id, { wait: '30s' }).catch((error: unknown) => {
    if (!DueworkError.is(error, 'job_failed')) throw error;
  });
  const { job: dead } = await queue.getJob(id);

  ran.length = 0;
  const isQuiet = once(told, 'ran 14');
  for (const n of [12, 13, 14]) await queue.enqueue(search, { n, user: 7 }, { delay: '500ms' });
  await isQuiet;
  const replaced = [...ran];

  const isThrough = once(told, 'line');
  await queue.enqueueMany([7, 8, 9].map((n) => jobRequest(inLine, { n, account: 7 })));
  await isThrough;

  const areDone = once(told, 'parts');
  await queue.enqueueMany([10, 11, 12].map((n) => jobRequest(part, { n })));
  await areDone;

  const soon = await queue.enqueue(note, { n: 18 }, { delay: '1d' });
  const never = await queue.enqueue(note, { n: 19 }, { delay: '1d' });
  const removed = (await queue.cancelJob(never.id)) === 'cancelled';
  const isForward = once(told, 'ran 18');
  await queue.updateJob(soon.id, { runAt: new Date() });
  await isForward;

  await pauseType(pool, 'slow', { reason: 'it is forbidden' });
  const isHeard = once(told, 'ran 22');
  await pool.query(`SELECT * FROM duework.enqueue('slow', '{"n":21}')`);
  await queue.enqueue(note, { n: 22 }, { priority: 5 + 1 });
  await isHeard;
  const ranForbidden = ran.includes(21);
  const isAllowed = once(told, 'ran 21');
  await resumeType(pool, 'slow');
  await isAllowed;

  const rule = { cron: '0 3 * * *', timeZone: 'UTC' } as const;
  await saveSchedule(pool, note, { key: 'nightly', ...rule, payload: { n: 20 } });
  const { schedules } = await findSchedules(pool, {});
  stopping.abort();
  await worker;
  await pool.end();
  return {
    inTransaction: [rolledBack, committed],
    order: inOrder,
    isDelayed,
    attempts,
    hopeless: { attempts: dead.attempts, isToldWhy: dead.lastError!.includes('no such address') },
    replaced,
    inLine: line,
    parts,
    removed,
    ranForbidden,
    schedules: schedules.map(({ key }) => key),
  };
}

async function countOf(pool: Pool, type: string): Promise<number> {
  const { rows } = await pool.query('SELECT count(*)::int AS count FROM duework.jobs WHERE job_type = $1', [type]);
  return rows[0].count;
}
