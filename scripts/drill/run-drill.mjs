import { join } from 'node:path';
import { root } from '../lib/paths.mjs';
import { countLive, countStillHeld, findHeld, findUnknown, readFigures } from './look-into-tables.mjs';
import { showState } from './show-state.mjs';
import { startMailServer } from './start-mail-server.mjs';
import { startWorker } from './start-worker.mjs';

const { sendReceipt } = await import(join(root, 'packages/shop/dist/index.js'));
const { enqueueMany, jobRequest, retryJob } = await import(join(root, 'packages/queue-core/dist/index.js'));
const { connectPrisma } = await import(join(root, 'packages/database/dist/index.js'));

const SHUTDOWN_DEADLINE_MS = 3_000;
const LOOK_MS = 20;
/** Past it, nothing will happen any more: leases, retries and both restarts included. */
const limitMs = (receipts) => 120_000 + receipts * 50;
/** What one mail takes the server; all of them take five workers' slots some seconds. */
const mailMs = (receipts) => Math.min(150, 30_000 / receipts);

const now = () => performance.now();
const emailOf = (n) => `customer-${n}@example.com`;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs the drill and returns what happened, to be judged by `report`: as far as it came, and `problem` when that was not
 * to its end. Times are in milliseconds.
 */
export async function runDrill({ databaseUrl, receipts }) {
  const refusedOnce = Array.from({ length: Math.floor(receipts / 5) }, (_, index) => emailOf(index * 5));
  const mail = await startMailServer({ refusedOnce, mailMs: mailMs(receipts) });
  const db = connectPrisma({ url: databaseUrl, poolSize: 2, applicationName: 'duework-drill' });
  const drill = {
    databaseUrl,
    db,
    mail,
    receipts,
    refused: refusedOnce.length,
    leaseMs: sendReceipt.leaseMs,
    workers: [],
    asked: [],
    begunMs: now(),
    phase: '',
  };
  const stopShowing = showState(drill);
  // the drill may be interrupted anywhere, and its workers are no part of its process group
  const onExit = () => {
    stopShowing();
    for (const worker of drill.workers) worker.stop('SIGKILL');
  };
  process.once('exit', onExit);
  try {
    await runPhases(drill);
    return { ...drill, ...(await readFigures(db)), tookMs: now() - drill.begunMs };
  } finally {
    process.removeListener('exit', onExit);
    stopShowing();
    for (const worker of drill.workers) worker.stop('SIGTERM');
    for (const worker of drill.workers) await worker.exited;
    await mail.stop();
    await db.$disconnect();
  }
}

async function runPhases(drill) {
  try {
    for (const phase of [enqueueReceipts, stopInTheMiddle, killInTheMiddle, finish]) await phase(drill);
    drill.phase = 'done';
  } catch (error) {
    drill.problem = error.message;
  }
}

async function enqueueReceipts(drill) {
  const { db, receipts } = drill;
  drill.phase = 'enqueueing';
  await enqueueMany(
    db,
    Array.from({ length: receipts }, (_, n) =>
      jobRequest(sendReceipt, { receiptId: `drill-${n}`, email: emailOf(n), amountCents: 100 + n, currency: 'EUR' }),
    ),
  );
}

/** A deploy: SIGTERM while one mail hangs, so that the worker has to give a run back at its deadline. */
async function stopInTheMiddle(drill) {
  const { mail, receipts, db } = drill;
  const worker = start(drill, 'drill-first', 'sending');
  await until(drill, worker, () => mail.acceptedCount() >= receipts * 0.3);
  const trap = mail.trap('greeting');
  await until(drill, worker, () => trap.isReached);
  drill.phase = 'SIGTERM';
  const begunMs = now();
  worker.stop('SIGTERM');
  const { how } = await worker.exited;
  drill.shutdown = {
    tookMs: now() - begunMs,
    deadlineMs: SHUTDOWN_DEADLINE_MS,
    how,
    left: (await findHeld(db, worker.name)).length,
  };
}

/** A crash: SIGKILL when a mail has arrived and the worker has not been told. */
async function killInTheMiddle(drill) {
  const { mail, receipts, db } = drill;
  const worker = start(drill, 'drill-second', 'sending again');
  await until(drill, worker, () => mail.acceptedCount() >= receipts * 0.6);
  const trap = mail.trap('reply');
  await until(drill, worker, () => trap.isReached);
  drill.phase = 'SIGKILL';
  worker.stop('SIGKILL');
  await worker.exited;
  const begunMs = now();
  const held = await findHeld(db, worker.name);
  const next = start(drill, 'drill-third', 'recovering');
  await until(drill, next, async () => (await countStillHeld(db, held)) === 0);
  drill.recovery = { tookMs: now() - begunMs, runs: held.length };
}

async function finish(drill) {
  drill.phase = 'finishing';
  await until(
    drill,
    drill.workers.at(-1),
    async () => (await askPerson(drill)) === 0 && (await countLive(drill.db)) === 0,
  );
}

/**
 * Plays the person who is asked about a mail that a killed worker was just handing over: looks for it in the mailbox, and
 * says whether it arrived. Returns how often.
 */
async function askPerson({ db, mail, asked }) {
  const unknown = await findUnknown(db);
  for (const { id, key } of unknown) {
    const hasArrived = mail.accepted.has(`<${key.replaceAll(':', '-')}@duework.local>`);
    asked.push({ id, hasArrived });
    await retryJob(db, id, { effectsHappened: hasArrived });
  }
  return unknown.length;
}

function start(drill, name, phase) {
  drill.phase = phase;
  const worker = startWorker({
    name,
    databaseUrl: drill.databaseUrl,
    smtpUrl: drill.mail.url,
    shutdownDeadlineMs: SHUTDOWN_DEADLINE_MS,
  });
  drill.workers.push(worker);
  return worker;
}

/** Waits for a fact, but not for ever, and not for a worker that has gone. */
async function until(drill, worker, isTrue) {
  let gone = null;
  void worker.exited.then(({ how }) => (gone = how));
  while (!(await isTrue())) {
    if (gone !== null) throw new Error(`${worker.lastLines()}\nThe worker ${worker.name} ended by itself: ${gone}.`);
    const patienceMs = limitMs(drill.receipts);
    if (now() - drill.begunMs > patienceMs)
      throw new Error(
        `${worker.lastLines()}\nNothing more happened while ${drill.phase}, after ${patienceMs / 1000} s.`,
      );
    await pause(LOOK_MS);
  }
}
