import { isIP } from 'node:net';
import { join } from 'node:path';
import { PlainError } from '../lib/plain-error.mjs';
import { stateDir } from '../lib/paths.mjs';

/** The variables of a start, in the order in which --help lists them. */
export const variables = [
  ['DATABASE_URL', '', 'a PostgreSQL of your own; without it an embedded one is started'],
  ['POSTGRES_PORT', '4632', 'port of the embedded PostgreSQL'],
  ['API_PORT', '4600', 'port of the API'],
  ['WORKER_PORT', '4601', "port of the worker's /metrics, /livez and /readyz"],
  ['MAILBOX_PORT', '4602', 'port of the page that shows the mails'],
  ['SMTP_PORT', '4625', 'port on which the mailbox takes mails'],
  ['SMTP_URL', 'smtp://127.0.0.1:SMTP_PORT', 'where the worker sends mails'],
  ['DEBUG', '', '1 shows whole errors'],
];

function portOf(env, name) {
  const text = env[name] || variables.find(([variable]) => variable === name)[1];
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new PlainError(`${name} must be a port from 1 to 65535, and it is "${text}".`);
}

/**
 * What this start works with: the environment wins, the rest has defaults.
 *
 * @param {Record<string, string | undefined>} env
 */
export function readSettings(env) {
  const ports = Object.fromEntries(
    ['POSTGRES_PORT', 'API_PORT', 'WORKER_PORT', 'MAILBOX_PORT', 'SMTP_PORT'].map((name) => [name, portOf(env, name)]),
  );
  return {
    ports,
    databaseUrl: env.DATABASE_URL || undefined,
    dataDir: join(stateDir, 'postgres-data'),
    /** What the programs are given on top of the environment. Some shells put the machine's name into HOST. */
    env: {
      ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
      HOST: isIP(env.HOST ?? '') ? env.HOST : '127.0.0.1',
      SMTP_URL: env.SMTP_URL || `smtp://127.0.0.1:${ports.SMTP_PORT}`,
      MAILBOX_DIR: env.MAILBOX_DIR || join(stateDir, 'mailbox'),
      TEMP_DIR: env.TEMP_DIR || join(stateDir, 'temp'),
      WEBHOOK_ALLOW_PRIVATE: env.WEBHOOK_ALLOW_PRIVATE || 'true',
    },
  };
}

/** How long the worker waits for its running jobs; it needs a little longer to release the rest. */
const drainMs = Number(process.env.SHUTDOWN_DEADLINE_MS || 10_000);

/**
 * The programs, in the order in which they are started; they are stopped in the opposite one. `ports` are the variables
 * of the ports a program listens on, the first of them answers GET /readyz.
 */
export const services = [
  { name: 'mailbox', main: 'apps/mailbox/dist/main.js', ports: ['MAILBOX_PORT', 'SMTP_PORT'], stopSeconds: 5 },
  { name: 'api', main: 'apps/api/dist/main.js', ports: ['API_PORT'], stopSeconds: 10 },
  {
    name: 'worker',
    main: 'apps/worker/dist/main.js',
    nodeOptions: ['--max-old-space-size=512', '--min-semi-space-size=8'],
    ports: ['WORKER_PORT'],
    stopSeconds: 5 + drainMs / 1_000,
  },
];

/** Puts something into an empty shop; does nothing the second time. */
export const seedMain = 'apps/api/dist/seed-main.js';
