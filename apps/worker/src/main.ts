/**
 * The process that runs the shop's jobs: it constructs what the handlers need, and `runWorker` does the rest. Exit codes
 * and signals are those of `runWorker`.
 */
import { connectPg, connectPrisma, describeDatabaseError, type ConnectOptions } from '@duework/database';
import { systemClock as clock } from '@duework/queue-core';
import { catalog } from '@duework/shop';
import { runWorker } from '@duework/worker';
import { pino } from 'pino';
import { bindDatabase } from './bind-database.js';
import { readClock } from './clock.js';
import { readEnv } from './env.js';
import { createHandlers } from './shop/create-handlers.js';
import { schedules, SCHEDULES_VERSION } from './shop/schedules.js';
import { createMailSender } from './shop/send-mail-once.js';
import { resolveHost } from './shop/webhook/resolve-target.js';

const reading = readEnv();
if (!reading.ok) {
  for (const line of reading.lines) process.stderr.write(`${line}\n`);
  process.exit(2);
}
const { env } = reading;
const url = env.DATABASE_URL;
const log = pino({ level: env.LOG_LEVEL, base: { app: 'worker' }, timestamp: pino.stdTimeFunctions.isoTime });

const optionsFor = (purpose: string, poolSize: number): ConnectOptions => ({
  url,
  poolSize,
  applicationName: `duework-worker-${purpose}`,
  onConnectionLost: (error) =>
    log.warn({ purpose, problem: describeDatabaseError(error, url).problem }, 'connection.lost'),
});
// two pools, so that handlers cannot starve the claims
const prisma =
  env.ENGINE_CLIENT === 'pg' || env.SHARDS !== undefined
    ? undefined
    : connectPrisma({ ...optionsFor('engine', 4), role: 'engine' as const });
// not the handlers' connections, which may all be in use
const cancelThrough = prisma ?? connectPg(optionsFor('cancels', 1));
const db = connectPrisma({
  ...optionsFor('handlers', 10),
  // no statement outlives the longest attempt; one that a handler sends through its attempt's own database ends with
  // that attempt
  statementTimeoutMs: Math.max(...catalog.map(({ timeoutMs }) => timeoutMs)),
});

await runWorker({
  catalog,
  schedules,
  schedulesVersion: SCHEDULES_VERSION,
  handlers: createHandlers({
    sendMailOnce: createMailSender({ smtpUrl: env.SMTP_URL, from: env.MAIL_FROM }),
    apiUrl: env.API_URL,
    cleanup: { tempDir: env.TEMP_DIR, maxFileAgeHours: env.TEMP_FILE_MAX_AGE_HOURS, now: readClock },
    webhook: {
      secret: env.WEBHOOK_SECRET,
      isPrivateAllowed: env.WEBHOOK_ALLOW_PRIVATE,
      timeoutMs: env.WEBHOOK_TIMEOUT_MS,
      resolve: resolveHost,
      now: readClock,
    },
  }),
  middleware: bindDatabase({ db, cancelThrough, catalog, clock }),
  ...(prisma === undefined ? {} : { prisma }),
  log,
});
await Promise.all([cancelThrough.$disconnect(), db.$disconnect()]);
