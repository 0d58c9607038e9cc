import { setTimeout as pause } from 'node:timers/promises';
import { connectPrisma } from '@duework/database';
import { enqueueMany, jobRequest, retryJob } from '@duework/queue-core';
import { sendReceipt } from '@duework/shop';
import type { Drill, DrillResult } from './drill.js';
import type { EngineClient } from './engine-client.js';
import { onEnd } from '../../kit/clean-up.js';
import { countLive, countStillHeld, findHeld, findUnknown, readFigures } from './look-into-tables.js';
import { showState } from './show-state.js';
import { startMailServer } from './start-mail-server.js';
import { type DrillWorker, startWorker } from './start-worker.js';

const SHUTDOWN_DEADLINE_MS = 3_000;
const LOOK_MS = 20;
/** After this time the drill has failed: leases, retries and both restarts are included. */
const limitMs = (receipts: number): number => 120_000 + receipts * 50;
/** How long the server takes for one mail; all mails together take five workers' slots some seconds. */
const mailMs = (receipts: number): number => Math.min(150, 30_000 / receipts);

const now = (): number => performance.now();
const emailOf = (n: number): string => `customer-${n}@example.com`;

export interface RunDrillOptions {
  /** Of a fresh, migrated database. */
  readonly databaseUrl: string;
  readonly engineClient: EngineClient;
  readonly receipts: number;
}

/**
 * Runs the drill and returns its result, to be judged by `report`: as far as it came, with `problem` when that was not
 * the end. Times are in milliseconds.
 */
export async function runDrill({ databaseUrl, engineClient, receipts }: RunDrillOptions): Promise<DrillResult> {
  const refusedOnce = Array.from({ length: Math.floor(receipts / 5) }, (_, index) => emailOf(index * 5));
  const mail = await startMailServer({ refusedOnce, mailMs: mailMs(receipts) });
  const db = connectPrisma({ url: databaseUrl, poolSize: 2, applicationName: 'duework-drill' });
  const drill: Drill = {
    databaseUrl,
    engineClient,
    db,
    mail,
    receipts,
    refused: refusedOnce.length,
    leaseMs: sendReceipt.leaseMs,
    workers: [],
    warnings: [],
    asked: [],
    begunMs: now(),
    phase: '',
  };
  const stopShowing = showState(drill);
  const end = onEnd(stopShowing);
  try {
    await runPhases(drill);
    return { ...drill, ...(await readFigures(db)), tookMs: now() - drill.begunMs };
  } finally {
    for (const worker of drill.workers) worker.stop('SIGTERM');
    for (const worker of drill.workers) await worker.exited;
    end();
    await mail.stop();
    await db.$disconnect();
  }
}

async function runPhases(drill: Drill): Promise<void> {
  try {
    for (const phase of [enqueueReceipts, stopInTheMiddle, killInTheMiddle, finish]) await phase(drill);
    drill.phase = 'done';
  } catch (error) {
    drill.problem = error instanceof Error ? error.message : String(error);
  }
}

async function enqueueReceipts(drill: Drill): Promise<void> {
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
async function stopInTheMiddle(drill: Drill): Promise<void> {
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

/** A crash: SIGKILL when a mail has arrived and before the worker has received the answer. */
async function killInTheMiddle(drill: Drill): Promise<void> {
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

async function finish(drill: Drill): Promise<void> {
  drill.phase = 'finishing';
  const worker = drill.workers.at(-1);
  if (worker === undefined) throw new Error('There is no worker to finish with.');
  await until(drill, worker, async () => (await askPerson(drill)) === 0 && (await countLive(drill.db)) === 0);
}

/**
 * Acts as the person who is asked about a mail that a killed worker was just sending: looks for the mail in the
 * mailbox, and says whether it arrived. Returns how often.
 */
async function askPerson({ db, mail, asked }: Drill): Promise<number> {
  const unknown = await findUnknown(db);
  for (const { id, key } of unknown) {
    const hasArrived = mail.accepted.has(`<${key.replaceAll(':', '-')}@duework.local>`);
    asked.push({ id, hasArrived });
    await retryJob(db, id, { effectsHappened: hasArrived });
  }
  return unknown.length;
}

function start(drill: Drill, name: string, phase: string): DrillWorker {
  drill.phase = phase;
  const worker = startWorker({
    name,
    databaseUrl: drill.databaseUrl,
    engineClient: drill.engineClient,
    smtpUrl: drill.mail.url,
    shutdownDeadlineMs: SHUTDOWN_DEADLINE_MS,
    onWarning: (line) => void drill.warnings.push(`${name}: ${line}`),
  });
  drill.workers.push(worker);
  return worker;
}

/** Waits for a fact, up to a limit, and only while the worker runs. */
async function until(drill: Drill, worker: DrillWorker, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  let gone: string | null = null;
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
