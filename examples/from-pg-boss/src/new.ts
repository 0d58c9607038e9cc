/** The same application on Duework. */
import { EventEmitter, once } from 'node:events';
import { complete, enqueueMany, enqueue, jobRequest, openQueue, type Handlers } from 'duework';
import { saveSchedule } from 'duework/schedules';
import { runWorker } from 'duework/worker';
import { Pool } from 'pg';
import { catalog, doomed, hourly, many, measure, note, shaky, sync } from './jobs.js';
import type { Outcomes } from './outcomes.js';

export async function runNew(databaseUrl: string): Promise<Outcomes> {
  const pool = new Pool({ connectionString: databaseUrl });
  const queue = openQueue(pool);
  const ran: number[] = [];
  const told = new EventEmitter();
  let startedAt = 0;
  let attempts = 0;
  let deadN = 0;
  const batches: number[] = [];

  const handlers: Handlers<typeof catalog> = {
    note({ payload: { n } }) {
      startedAt = Date.now();
      ran.push(n);
      told.emit(`ran ${n}`);
    },
    shaky({ attempt }) {
      attempts = attempt;
      if (attempt < 3) throw new Error('the provider is away');
      told.emit('shaky');
    },
    doomed: () => Promise.reject(new Error('no such address')),
    dead({ payload }) {
      deadN = (payload.payload as { readonly n: number }).n;
      told.emit('dead');
    },
    sync: () => {},
    hourly: () => {},
    many(jobs) {
      batches.push(jobs.length);
      if (batches.length === 2) told.emit('many');
    },
    measure: ({ payload: { n } }) => complete({ square: n ** 2 }),
  };

  async function order(n: number, isPaid: boolean): Promise<string> {
    const tx = await pool.connect();
    await tx.query('BEGIN');
    const { id } = await enqueue(tx, many, { n });
    await tx.query(isPaid ? 'COMMIT' : 'ROLLBACK');
    tx.release();
    return id;
  }
  await order(1, false);
  const rolledBack = await countOf(pool, 'many');
  const paid = await order(2, true);
  const committed = await countOf(pool, 'many');
  await queue.cancelJob(paid);

  // before a worker starts, so that what is first is first
  await queue.enqueue(note, { n: 1 });
  await queue.enqueue(note, { n: 2 }, { priority: 5 - 2 });
  await queue.enqueue(note, { n: 3 }, { priority: 5 - 1 });
  const syncs = [];
  for (const n of [7, 8, 9]) syncs.push(await queue.enqueue(sync, { n, account: 7 }));
  const isFirst = once(told, 'ran 1');
  const stopping = new AbortController();
  const options = { catalog, handlers, databaseUrl, concurrency: 1, workerPort: 'none', argv: [] } as const;
  const worker = runWorker({ ...options, handleSignals: false, signal: stopping.signal });
  await isFirst;
  const inOrder = ran.splice(0);

  const at = Date.now() + 1_000;
  await queue.enqueue(note, { n: 4 }, { runAt: new Date(at) });
  await once(told, 'ran 4');
  const isDelayed = startedAt >= at;

  await queue.enqueue(shaky, { n: 5 });
  await once(told, 'shaky');
  await queue.enqueue(doomed, { n: 6 });
  await once(told, 'dead');

  const hours = [];
  for (const n of [10, 11, 12]) hours.push(await queue.enqueue(hourly, { n, account: 7 }));
  const sent = (jobs: readonly { readonly isDeduplicated: boolean }[]): number =>
    jobs.filter(({ isDeduplicated }) => !isDeduplicated).length;

  const isCollected = once(told, 'many');
  await enqueueMany(
    pool,
    [13, 14, 15, 16, 17].map((n) => jobRequest(many, { n })),
  );
  await isCollected;

  const { id } = await queue.enqueue(note, { n: 18 }, { delay: '1s' });
  await queue.cancelJob(id);
  await queue.enqueue(note, { n: 19 }, { delay: '2s' });
  await once(told, 'ran 19');
  const ranCancelled = ran.includes(18);

  const measured = await queue.enqueue(measure, { n: 5 });
  const output = await queue.result(measure, measured.id, { wait: '30s' });

  const rule = { cron: '0 3 * * *', timeZone: 'Europe/Vienna' } as const;
  const { cron, timeZone } = await saveSchedule(pool, note, { key: 'nightly', ...rule, payload: { n: 20 } });
  stopping.abort();
  await worker;
  await pool.end();
  return {
    inTransaction: [rolledBack, committed],
    order: inOrder,
    isDelayed,
    attempts,
    dead: deadN,
    short: sent(syncs),
    throttled: sent(hours),
    batches,
    ranCancelled,
    output,
    schedule: { cron: cron!, timeZone },
  };
}

async function countOf(pool: Pool, type: string): Promise<number> {
  const { rows } = await pool.query('SELECT count(*)::int AS count FROM duework.jobs WHERE job_type = $1', [type]);
  return rows[0].count;
}
