/** The application as it was, on pg-boss. */
import { EventEmitter, once } from 'node:events';
import { Pool, type PoolClient } from 'pg';
import { PgBoss } from 'pg-boss';
import type { Outcomes } from './outcomes.js';

interface Data {
  readonly n: number;
}

export async function runOld(databaseUrl: string): Promise<Outcomes> {
  const pool = new Pool({ connectionString: databaseUrl });
  const boss = new PgBoss({ connectionString: databaseUrl });
  boss.on('error', console.error);
  await boss.start();
  for (const name of ['note', 'shaky', 'doomed', 'dead', 'hourly', 'many', 'measure']) await boss.createQueue(name);
  await boss.createQueue('sync', { policy: 'short' });
  await boss.updateQueue('doomed', { deadLetter: 'dead', retryLimit: 0 });
  const ran: number[] = [];
  const told = new EventEmitter();
  let startedAt = 0;
  let attempts = 0;
  let dead = 0;
  const batches: number[] = [];
  const options = { pollingIntervalSeconds: 0.5 };

  async function order(n: number, isPaid: boolean): Promise<void> {
    const tx = await pool.connect();
    await tx.query('BEGIN');
    await boss.send('many', { n }, { db: within(tx) });
    await tx.query(isPaid ? 'COMMIT' : 'ROLLBACK');
    tx.release();
  }
  await order(1, false);
  const rolledBack = await countOf(pool, 'many');
  await order(2, true);
  const committed = await countOf(pool, 'many');

  // before a worker starts, so that what is first is first
  await boss.send('note', { n: 1 });
  await boss.send('note', { n: 2 }, { priority: 2 });
  await boss.send('note', { n: 3 }, { priority: 1 });
  await boss.work<Data>('note', options, async ([job]) => {
    startedAt = Date.now();
    ran.push(job!.data.n);
    told.emit(`ran ${job!.data.n}`);
  });
  await once(told, 'ran 1');
  const inOrder = ran.splice(0);

  const at = Date.now() + 1_000;
  await boss.send('note', { n: 4 }, { startAfter: new Date(at) });
  await once(told, 'ran 4');
  const isDelayed = startedAt >= at;

  await boss.work<Data>('shaky', options, async () => {
    if (++attempts < 3) throw new Error('the provider is away');
    told.emit('shaky');
  });
  await boss.send('shaky', { n: 5 }, { retryLimit: 2, retryDelay: 0 });
  await once(told, 'shaky');

  await boss.work<Data>('doomed', options, () => Promise.reject(new Error('no such address')));
  await boss.work<Data>('dead', options, async ([job]) => {
    dead = job!.data.n;
    told.emit('dead');
  });
  await boss.send('doomed', { n: 6 });
  await once(told, 'dead');

  const sent = (ids: readonly (string | null)[]): number => ids.filter((id) => id !== null).length;
  const syncs: (string | null)[] = [];
  for (const n of [7, 8, 9]) syncs.push(await boss.send('sync', { n }, { singletonKey: 'account 7' }));
  const hourly: (string | null)[] = [];
  for (const n of [10, 11, 12])
    hourly.push(await boss.send('hourly', { n }, { singletonKey: 'account 7', singletonSeconds: 3_600 }));

  await boss.deleteAllJobs('many');
  await boss.insert(
    'many',
    [13, 14, 15, 16, 17].map((n) => ({ data: { n } })),
  );
  await boss.work<Data>('many', { ...options, batchSize: 3 }, async (jobs) => {
    batches.push(jobs.length);
    if (batches.length === 2) told.emit('many');
  });
  await once(told, 'many');

  const cancelled = await boss.send('note', { n: 18 }, { startAfter: 1 });
  await boss.cancel('note', cancelled!);
  await boss.send('note', { n: 19 }, { startAfter: 2 });
  await once(told, 'ran 19');
  const ranCancelled = ran.includes(18);

  await boss.work<Data>('measure', options, async ([job]) => ({ square: job!.data.n ** 2 }));
  const id = await boss.send('measure', { n: 5 });
  let output: unknown = null;
  while (output === null) output = (await boss.getJobById('measure', id!))?.output ?? null;

  await boss.schedule('note', '0 3 * * *', { n: 20 }, { tz: 'Europe/Vienna' });
  const [schedule] = await boss.getSchedules();
  await boss.stop({ graceful: true });
  await pool.end();
  return {
    inTransaction: [rolledBack, committed],
    order: inOrder,
    isDelayed,
    attempts,
    dead,
    short: sent(syncs),
    throttled: sent(hourly),
    batches,
    ranCancelled,
    output,
    schedule: { cron: schedule!.cron, timeZone: schedule!.timezone },
  };
}

const within = (tx: PoolClient) => ({ executeSql: (text: string, values?: unknown[]) => tx.query(text, values) });

async function countOf(pool: Pool, name: string): Promise<number> {
  const { rows } = await pool.query('SELECT count(*)::int AS count FROM pgboss.job WHERE name = $1', [name]);
  return rows[0].count;
}
