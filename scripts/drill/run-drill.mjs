import { join } from 'node:path';
import { root } from '../lib/paths.mjs';
import { requirePg } from '../lib/with-fresh-database.mjs';
import { startMailServer } from './start-mail-server.mjs';
import { startWorker } from './start-worker.mjs';
import { showState } from './show-state.mjs';

const { catalog, sendReceipt } = await import(join(root, 'packages/contracts/dist/index.js'));
const { enqueueMany, jobRequest, registerDefinitions, retryJob } = await import(join(root, 'packages/queue-core/dist/index.js'));
const { connectPrisma } = await import(join(root, 'packages/database/dist/index.js'));

const SHUTDOWN_DEADLINE_MS = 10_000;
const LOOK_MS = 50;
/** All of it, the killed worker's lease and the retries included; past it, something is lost. */
const LIMIT_MS = 120_000;

const now = () => performance.now();
const emailOf = (n) => `customer-${n}@example.com`;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs the drill and returns what happened, to be judged by `report`. Times are in milliseconds.
 */
export async function runDrill({ databaseUrl, receipts }) {
  const failing = Math.floor(receipts / 5);
  const everyFifth = Array.from({ length: failing }, (_, index) => index * 5);
  const mail = await startMailServer({ refusedOnce: everyFifth.map(emailOf) });
  const db = connectPrisma({ url: databaseUrl, poolSize: 2, applicationName: 'duework-drill' });
  const sql = new (requirePg().Client)({ connectionString: databaseUrl });
  await sql.connect();
  const workers = [];
  const start = async (name) => {
    const worker = await startWorker({ name, databaseUrl, smtpUrl: mail.url, shutdownDeadlineMs: SHUTDOWN_DEADLINE_MS });
    workers.push(worker);
    return worker;
  };
  const drill = { mail, sql, begunMs: now(), receipts, asked: [], phase: 'enqueueing' };
  const stopShowing = showState(drill);
  try {
    await registerDefinitions(db, catalog);
    await enqueueMany(db, Array.from({ length: receipts }, (_, n) =>
      jobRequest(sendReceipt, { receiptId: `drill-${n}`, email: emailOf(n), amountCents: 100 + n, currency: 'EUR' })));

    drill.phase = 'sending';
    const first = await start('drill-first');
    await until(drill, first, () => mail.acceptedCount() >= receipts * 0.3);

    drill.phase = 'SIGTERM';
    const termedMs = now();
    first.stop('SIGTERM');
    const { how } = await first.exited;
    const shutdownMs = now() - termedMs;

    drill.phase = 'sending again';
    const second = await start('drill-second');
    await until(drill, second, () => mail.acceptedCount() >= receipts * 0.6);

    drill.phase = 'SIGKILL';
    second.stop('SIGKILL');
    await second.exited;
    const killedMs = now();
    const orphans = (await sql.query(`SELECT id, fence FROM duework.job_runs WHERE status = 'running' AND locked_by = 'drill-second'`)).rows;
    const third = await start('drill-third');
    drill.phase = 'recovering';
    await until(drill, third, async () => (await countHeld(sql, orphans)) === 0);
    const recoverMs = now() - killedMs;

    drill.phase = 'finishing';
    await until(drill, third, async () => {
      await askPerson(drill, db);
      return (await countUnfinished(sql)) === 0;
    });
    drill.phase = 'done';
    return { ...(await readFigures(sql)), receipts, failing, mail, shutdownMs, shutdownHow: how, shutdownDeadlineMs: SHUTDOWN_DEADLINE_MS,
      orphans: orphans.length, recoverMs, leaseMs: sendReceipt.leaseMs, asked: drill.asked, tookMs: now() - drill.begunMs };
  } finally {
    stopShowing();
    for (const worker of workers) worker.stop('SIGTERM');
    await Promise.all(workers.map((worker) => worker.exited));
    await Promise.all([sql.end(), db.$disconnect(), mail.stop()]);
  }
}

/** Waits for a fact, but not for ever, and not for a worker that has gone. */
async function until(drill, worker, isTrue) {
  let gone = null;
  void worker.exited.then(({ how }) => (gone = how));
  while (!(await isTrue())) {
    if (gone !== null) throw new Error(`The worker ${worker.name} ended by itself (${gone}):\n${worker.lastLines()}`);
    if (now() - drill.begunMs > LIMIT_MS) throw new Error(`Nothing more happened while ${drill.phase}, after ${LIMIT_MS / 1000} s:\n${worker.lastLines()}`);
    await pause(LOOK_MS);
  }
}

/** Of the runs that a killed worker held, those that nobody has begun again. */
async function countHeld(sql, orphans) {
  const { rows } = await sql.query(
    `SELECT count(*)::int AS held FROM duework.job_runs r JOIN unnest($1::bigint[], $2::bigint[]) AS o (id, fence) USING (id) WHERE r.fence = o.fence`,
    [orphans.map(({ id }) => id), orphans.map(({ fence }) => fence)],
  );
  return rows[0].held;
}

async function countUnfinished(sql) {
  const { rows } = await sql.query(`SELECT count(*)::int AS left FROM duework.jobs WHERE job_type = 'send_receipt' AND status <> 'succeeded'`);
  return rows[0].left;
}

/**
 * Plays the person who is asked about a mail that a killed worker was just handing over: looks for it in the mailbox, and
 * says whether it arrived.
 */
async function askPerson({ sql, mail, asked }, db) {
  const { rows } = await sql.query(`SELECT id::text, idempotency_key FROM duework.job_history WHERE status = 'dead' AND error_code = 'effect_unknown'`);
  for (const { id, idempotency_key: key } of rows) {
    const hasArrived = mail.accepted.has(`<${key.replaceAll(':', '-')}@duework.local>`);
    asked.push({ id, hasArrived });
    await retryJob(db, id, { effectsHappened: hasArrived });
  }
}

async function readFigures(sql) {
  const { rows } = await sql.query(`
    SELECT
      (SELECT count(*)::int FROM duework.job_history WHERE status = 'succeeded' AND job_type = 'send_receipt') AS succeeded,
      (SELECT count(DISTINCT run_id)::int FROM duework.job_attempts WHERE outcome = 'failed' AND error_code <> 'effect_unknown') AS retried,
      (SELECT count(*)::int FROM duework.job_attempts WHERE outcome = 'interrupted') AS released,
      (SELECT count(*)::int FROM duework.job_attempts WHERE outcome = 'lost') AS rescued,
      -- an attempt that a deploy interrupted must not have been charged
      (SELECT count(*)::int FROM duework.job_history h WHERE attempts > 1 + (
        SELECT count(*) FROM duework.job_attempts a WHERE a.run_id = h.id AND a.outcome IN ('failed', 'lost'))) AS overcharged
  `);
  return rows[0];
}
