/**
 * The process that runs the jobs: it constructs everything, and it alone installs signal handlers.
 *
 * The first SIGTERM or SIGINT lets running jobs end until the deadline and releases the rest; a second one releases
 * everything now; a third one ends the process at once and leaves what still runs to the rescue.
 *
 * Exit codes: 0 stopped as asked; 1 could not start, stopped because of a fault, or was stuck while it stopped; 2 the
 * environment or the arguments are wrong; 143 and 130 cut short by a second SIGTERM or SIGINT. For --once, see
 * read-arguments.ts.
 */
import type { Server } from 'node:http';
import { catalog } from '@duework/shop';
import {
  checkDatabase,
  connectPg,
  connectPrisma,
  describeDatabaseError,
  parseDatabaseUrl,
  type ConnectOptions,
} from '@duework/database';
import {
  createPostgresStore,
  createWorker,
  hasWork,
  heartbeatInThread,
  readHorizonAge,
  readUnreadJobs,
  readQueueDepth,
  systemClock as clock,
  type EmitEvent,
} from '@duework/queue-core';
import { createTicker, registerSchedules } from '@duework/schedules';
import { createAdaptorServer } from '@hono/node-server';
import { pino } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { bindDatabase } from './bind-database.js';
import { readClock } from './clock.js';
import { createHandlers } from './shop/create-handlers.js';
import { createProbe } from './create-probe.js';
import { readEnv } from './env.js';
import { createApp } from './http/create-app.js';
import { listenOn } from './http/listen-on.js';
import { logEvents } from './log-events.js';
import { measureEvents } from './measure-events.js';
import { measureQueue } from './measure-queue.js';
import { HELP, readArguments } from './read-arguments.js';
import { runOnce } from './run-once.js';
import { schedules, SCHEDULES_VERSION } from './shop/schedules.js';
import { sendAlert } from './send-alert.js';
import { createMailSender } from './shop/send-mail-once.js';
import { pingDatabase } from './sql/ping-database.js';
import { resolveHost } from './shop/webhook/resolve-target.js';

/**
 * After the deadline handlers get a grace and settlements are written; after this margin the process ends, whatever
 * hangs.
 */
const STOP_MARGIN_MS = 10_000;
const DISCONNECT_MS = 2_000;
/** How long a second signal leaves for releasing what still runs. */
const HURRY_MS = 2_000;

const given = readArguments(process.argv.slice(2));
if (!given.ok) {
  process.stderr.write(`${given.line}\n`);
  process.exit(2);
}
if (given.arguments.isHelpWanted) {
  process.stdout.write(HELP);
  process.exit(0);
}
const { once } = given.arguments;
const reading = readEnv();
if (!reading.ok) {
  for (const line of reading.lines) process.stderr.write(`${line}\n`);
  process.exit(2);
}
const { env } = reading;
const url = env.DATABASE_URL;
const log = pino({
  level: env.LOG_LEVEL,
  base: { app: 'worker', worker: env.WORKER_NAME },
  timestamp: pino.stdTimeFunctions.isoTime,
});

const optionsFor = (purpose: string, poolSize: number): ConnectOptions => ({
  url,
  poolSize,
  applicationName: `duework-worker-${purpose}`,
  onConnectionLost: (error) =>
    log.warn({ purpose, problem: describeDatabaseError(error, url).problem }, 'connection.lost'),
});
// two pools, so that handlers cannot starve the claims; the leases and the wake-ups each have a connection of their own
const engineDb =
  env.ENGINE_CLIENT === 'pg'
    ? connectPg(optionsFor('engine', 4))
    : connectPrisma({ ...optionsFor('engine', 4), role: 'engine' });
const handlerDb = connectPrisma({
  ...optionsFor('handlers', Math.min(env.CONCURRENCY, 10)),
  // no statement outlives the longest attempt; one that a handler sends through its attempt's own database ends with
  // that attempt
  statementTimeoutMs: Math.max(...catalog.map(({ timeoutMs }) => timeoutMs)),
});

const registry = new Registry();
collectDefaultMetrics({ register: registry });
const types = catalog.map((contract) => contract.type);
const contracts = new Map(catalog.map((contract) => [contract.type, contract]));
const listeners: EmitEvent[] = [
  logEvents(log, url),
  measureEvents({ registry, types, slots: env.CONCURRENCY, activity: () => worker.activity() }),
  sendAlert({ log, url: env.ALERT_WEBHOOK_URL, now: readClock }),
];
const emit: EmitEvent = (event) => {
  for (const listen of listeners) listen(event);
};
const ticker = createTicker({ db: engineDb, catalog, worker: env.WORKER_NAME, emit });
const worker = createWorker({
  name: env.WORKER_NAME,
  store: createPostgresStore({ db: engineDb }),
  leases: heartbeatInThread({ ...parseDatabaseUrl(url), catalog }),
  catalog,
  middleware: bindDatabase({ db: handlerDb, cancelThrough: engineDb, catalog, clock }),
  handlers: createHandlers({
    sendMailOnce: createMailSender({ smtpUrl: env.SMTP_URL, from: env.MAIL_FROM }),
    cleanup: { tempDir: env.TEMP_DIR, maxFileAgeHours: env.TEMP_FILE_MAX_AGE_HOURS, now: readClock },
    webhook: {
      secret: env.WEBHOOK_SECRET,
      isPrivateAllowed: env.WEBHOOK_ALLOW_PRIVATE,
      timeoutMs: env.WEBHOOK_TIMEOUT_MS,
      resolve: resolveHost,
      now: readClock,
    },
  }),
  emit,
  ticker,
  logOf: ({ type, id, attempt, fence }) => log.child({ type, id, attempt, fence }),
  concurrency: env.CONCURRENCY,
  buffer: env.BUFFER,
  queues: env.QUEUES,
  pollIntervalMs: env.POLL_INTERVAL_MS,
  maintenance: {
    keepDays: env.RETENTION_DAYS,
    keepDeadDays: env.RETENTION_DEAD_DAYS,
    alertLimits: {
      maxDeadPerHour: env.ALERT_DEAD_PER_HOUR,
      maxWaitingSeconds: env.ALERT_WAITING_SECONDS,
      maxUnreadSeconds: env.ALERT_UNREAD_SECONDS,
      maxHorizonSeconds: env.ALERT_HORIZON_SECONDS,
      maxFailedShare: env.ALERT_FAILED_PERCENT / 100,
    },
  },
});

let state: 'starting' | 'running' | 'draining' = 'starting';
let exitCode = 0;
/** Aborts when the worker is told to stop. */
const told = new AbortController();
const probePing = createProbe(() => pingDatabase(engineDb), { freshMs: 2_000, limitMs: 1_000, clock });
const app = createApp({
  registry,
  refreshGauges: measureQueue({
    registry,
    contracts: catalog,
    pingDatabase: probePing,
    readDepth: createProbe(() => readQueueDepth(handlerDb), { freshMs: 0, limitMs: 1_000, clock }),
    readUnread: createProbe(() => readUnreadJobs(handlerDb), { freshMs: 0, limitMs: 1_000, clock }),
    readHorizonAge: createProbe(() => readHorizonAge(handlerDb), { freshMs: 0, limitMs: 1_000, clock }),
  }),
  pingDatabase: probePing,
  activity: () => worker.activity(),
  state: () => state,
  log,
});
const server = createAdaptorServer({ fetch: app.fetch }) as Server;

async function stop(code: number): Promise<void> {
  exitCode = Math.max(exitCode, code);
  if (state === 'draining') return;
  state = 'draining';
  told.abort();
  clock.after(env.SHUTDOWN_DEADLINE_MS + STOP_MARGIN_MS, () => {
    log.fatal('worker.stuck');
    process.exit(1);
  });
  await worker.stop({ deadlineMs: env.SHUTDOWN_DEADLINE_MS });
  const disconnected = Promise.allSettled([engineDb, handlerDb].map((db) => db.$disconnect()));
  await Promise.race([disconnected, new Promise<void>((resolve) => clock.after(DISCONNECT_MS, resolve))]);
  server.close();
  server.closeAllConnections();
  process.exit(exitCode);
}

/** Stops without waiting for handlers, and waits for the database a little while only. */
function hurry(code: number): void {
  exitCode = code;
  clock.after(HURRY_MS, () => process.exit(code));
  void worker.stop({ deadlineMs: 0 });
}

let signals = 0;
for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const) {
  process.on(signal, () => {
    signals++;
    if (signals > 2) process.exit(code);
    log.info({ signal }, 'signal.received');
    if (signals === 1) void stop(0);
    else hurry(code);
  });
}
/** After such a fault the state of the process is unknown: running jobs may finish, and a supervisor starts it anew. */
function stopBecauseOf(fault: string, error: unknown): void {
  log.fatal({ fault, err: error }, 'process.failed');
  void stop(1);
}
process.on('uncaughtException', (error) => stopBecauseOf('uncaughtException', error));
process.on('unhandledRejection', (error) => stopBecauseOf('unhandledRejection', error));

/** One wake-up: runs what is due now and stops. */
async function wakeOnce(maxRuntimeMs: number): Promise<void> {
  let dead = 0;
  listeners.push((event) => {
    if (event.name === 'job.dead') dead++;
  });
  const result = await runOnce({
    tick: () => ticker.tick(),
    hasWork: () => hasWork(engineDb, { worker: env.WORKER_NAME, queues: env.QUEUES, contracts }),
    maxRuntimeMs,
    signal: told.signal,
    clock,
  });
  log.info({ result, dead }, 'once.ended');
  await stop(result === 'time_over' ? 3 : dead > 0 ? 4 : 0);
}

try {
  await checkDatabase(engineDb, url);
  // wake-ups may overlap, and would compete for the port
  if (once === null) {
    const port = await listenOn(server, { host: env.HOST, port: env.WORKER_PORT, variable: 'WORKER_PORT' });
    log.info({ host: env.HOST, port, pid: process.pid }, 'http.listening');
  }
  try {
    await registerSchedules(engineDb, catalog, schedules, { version: SCHEDULES_VERSION });
    await worker.start();
  } catch (error) {
    throw describeDatabaseError(error, url);
  }
  if (state === 'starting') state = 'running';
} catch (error) {
  // a signal came first, and closed the connections that the start was waiting for
  if (state !== 'starting') await new Promise(() => {});
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
if (once !== null) {
  await wakeOnce(once.maxRuntimeMs).catch((error: unknown) => {
    // a statement that is on its way when the worker stops may find its connection closed
    if (!told.signal.aborted) stopBecauseOf('once', error);
  });
}
