/** The application as it was, on graphile-worker. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger, makeWorkerUtils, run, type RunnerOptions, type Task } from 'graphile-worker';
import { Pool } from 'pg';
import type { Outcomes } from './outcomes.js';

interface Data {
  readonly n: number;
}

const DAY_MS = 86_400_000;

export async function runOld(databaseUrl: string): Promise<Outcomes> {
  const pool = new Pool({ connectionString: databaseUrl });
  pool.on('error', console.error);
  const utils = await makeWorkerUtils({ pgPool: pool });
  await utils.migrate();
  const ran: number[] = [];
  const told = new EventEmitter();
  let startedAt = 0;
  let attempts = 0;
  const line: string[] = [];
  const parts: number[] = [];
  // from the start: a claim that is on its way has the flags of before
  let forbidden = ['slow'];

  const note: Task = (payload) => {
    const { n } = payload as Data;
    startedAt = Date.now();
    ran.push(n);
    told.emit(`ran ${n}`);
  };
  const taskList: Record<string, Task> = {
    note,
    search: note,
    slow: note,
    ship: () => {},
    shaky(_, { job }) {
      attempts = job.attempts;
      if (attempts < 2) throw new Error('the provider is away');
      told.emit('shaky');
    },
    hopeless: () => Promise.reject(new Error('no such address')),
    async in_line(payload) {
      const { n } = payload as Data;
      line.push(`${n} begins`);
      await pause(50);
      line.push(`${n} ends`);
      if (n === 9) told.emit('line');
    },
    part: (payload) =>
      (payload as readonly Data[]).map(async ({ n }) => {
        parts.push(n);
        if (n === 11 && parts.length < 4) throw new Error('the provider is away');
        if (parts.length === 4) told.emit('parts');
      }),
  };
  const options: RunnerOptions = {
    pgPool: pool,
    taskList,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    forbiddenFlags: () => forbidden,
    crontab: '0 3 * * * note ?id=nightly {"n":20}',
  };

  async function place(n: number, isPaid: boolean): Promise<void> {
    const tx = await pool.connect();
    await tx.query('BEGIN');
    await tx.query(`SELECT graphile_worker.add_job('ship', json_build_object('n', $1::int))`, [n]);
    await tx.query(isPaid ? 'COMMIT' : 'ROLLBACK');
    tx.release();
  }
  await place(1, false);
  const rolledBack = await countOf(pool, 'ship');
  await place(2, true);
  const committed = await countOf(pool, 'ship');

  // before a worker starts, so that what is first is first
  await utils.addJob('note', { n: 1 });
  await utils.addJob('note', { n: 2 }, { priority: -1 });
  await utils.addJob('note', { n: 3 }, { priority: 1 });
  const isLast = once(told, 'ran 3');
  const alone = await run({ ...options, concurrency: 1 });
  await isLast;
  await alone.stop();
  const inOrder = ran.splice(0);
  const runner = await run({ ...options, concurrency: 4 });

  const at = Date.now() + 500;
  const isOnTime = once(told, 'ran 4');
  await utils.addJob('note', { n: 4 }, { runAt: new Date(at) });
  await isOnTime;
  const isDelayed = startedAt >= at;

  const isSteady = once(told, 'shaky');
  await utils.addJob('shaky', { n: 5 }, { maxAttempts: 2 });
  await utils.addJob('hopeless', { n: 6 }, { maxAttempts: 1 });
  await isSteady;
  let dead: { attempts: number; last_error: string } | undefined;
  while (dead === undefined) [dead] = (await pool.query(DEAD)).rows;

  ran.length = 0;
  const isQuiet = once(told, 'ran 14');
  for (const n of [12, 13, 14])
    await utils.addJob('search', { n }, { jobKey: 'user 7', runAt: new Date(Date.now() + 500) });
  await isQuiet;
  const replaced = [...ran];

  const isThrough = once(told, 'line');
  for (const n of [7, 8, 9]) await utils.addJob('in_line', { n }, { queueName: 'account 7' });
  await isThrough;

  const areDone = once(told, 'parts');
  await utils.addJob('part', [{ n: 10 }, { n: 11 }, { n: 12 }]);
  await areDone;

  const tomorrow = { runAt: new Date(Date.now() + DAY_MS) };
  const soon = await utils.addJob('note', { n: 18 }, tomorrow);
  await utils.addJob('note', { n: 19 }, { ...tomorrow, jobKey: 'gone' });
  await pool.query(`SELECT graphile_worker.remove_job('gone')`);
  const { rowCount: left } = await pool.query(`SELECT FROM graphile_worker.jobs WHERE key = 'gone'`);
  const isForward = once(told, 'ran 18');
  await utils.rescheduleJobs([soon.id], { runAt: new Date() });
  await isForward;

  const isHeard = once(told, 'ran 22');
  await pool.query(`SELECT graphile_worker.add_job('slow', '{"n":21}', flags := ARRAY['slow'])`);
  await utils.addJob('note', { n: 22 }, { priority: 1 });
  await isHeard;
  const ranForbidden = ran.includes(21);
  const isAllowed = once(told, 'ran 21');
  forbidden = [];
  await isAllowed;

  const known = await pool.query('SELECT identifier FROM graphile_worker._private_known_crontabs');
  await runner.stop();
  await utils.release();
  await pool.end();
  return {
    inTransaction: [rolledBack, committed],
    order: inOrder,
    isDelayed,
    attempts,
    hopeless: { attempts: dead.attempts, isToldWhy: dead.last_error.includes('no such address') },
    replaced,
    inLine: line,
    parts,
    removed: left === 0,
    ranForbidden,
    schedules: known.rows.map(({ identifier }) => identifier as string),
  };
}

const DEAD = `SELECT attempts, last_error FROM graphile_worker.jobs
  WHERE task_identifier = 'hopeless' AND attempts = max_attempts AND locked_at IS NULL`;

async function countOf(pool: Pool, task: string): Promise<number> {
  const { rows } = await pool.query(
    'SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE task_identifier = $1',
    [task],
  );
  return rows[0].count;
}
