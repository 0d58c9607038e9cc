import { isIP } from 'node:net';
import { join } from 'node:path';
import { stateDir } from '../../../bootstrap/paths.mjs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import type { ServiceProgram } from '../../kit/start-service.js';

/** The variables of ports, with their defaults. */
const PORTS = {
  POSTGRES_PORT: ['4632', 'port of the embedded PostgreSQL'],
  REDIS_PORT: ['4640', 'port of the Redis of --queue bullmq'],
  API_PORT: ['4600', 'port of the API'],
  WORKER_PORT: ['4601', "port of the worker's /metrics, /livez and /readyz"],
  MAILBOX_PORT: ['4602', 'port of the page that shows the mails'],
  SMTP_PORT: ['4625', 'port on which the mailbox takes mails'],
} as const;

export type PortVariable = keyof typeof PORTS;
const portVariables = Object.keys(PORTS) as PortVariable[];

/** The variables of a start, in the order in which --help lists them: name, default, what it is. */
export const variables: readonly (readonly [string, string, string])[] = [
  ['DATABASE_URL', '', 'a PostgreSQL of your own; without it an embedded one is started'],
  ['DUEWORK_REDIS_URL', '', 'a Redis of your own, for --queue bullmq'],
  ...portVariables.map((name) => [name, ...PORTS[name]] as const),
  ['SMTP_URL', 'smtp://127.0.0.1:SMTP_PORT', 'where the worker sends mails'],
  ['SHOP_ORDERS', 'on', 'off: no orders come in by themselves'],
  ['DEBUG', '', '1 shows whole errors'],
];

export type Env = Readonly<Record<string, string | undefined>>;

export interface StartSettings {
  readonly ports: Readonly<Record<PortVariable, number>>;
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly redisUrl: string | undefined;
  readonly redisDir: string;
  /** Whoever is on this machine needs no key, and the console is signed in. */
  readonly isWithoutKeys: boolean;
  /** The shop has a morning's work and a page that makes trouble: without keys, and while its mails come to the mailbox alone. */
  readonly isPlayground: boolean;
  /** The environment of the programs, on top of this process's. */
  readonly env: Readonly<Record<string, string>>;
}

function portOf(env: Env, name: PortVariable): number {
  const text = env[name] || PORTS[name][0];
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new PlainError(`${name} must be a port from 1 to 65535, and it is "${text}".`);
}

/**
 * The settings of a start: the environment wins, the rest has defaults.
 *
 * @throws PlainError naming the variable that is not a port
 */
export function readSettings(env: Env): StartSettings {
  const ports = Object.fromEntries(portVariables.map((name) => [name, portOf(env, name)])) as Record<
    PortVariable,
    number
  >;
  // Some shells put the machine's name into HOST.
  const host = isIP(env['HOST'] ?? '') ? (env['HOST'] ?? '') : '127.0.0.1';
  // on this machine alone nobody needs a key; the API refuses to be without keys on any other address
  const apiKeys = env['API_KEYS'] || (/^(127\.|::1$)/.test(host) ? 'off' : 'on');
  const isWithoutKeys = apiKeys === 'off';
  const isPlayground = isWithoutKeys && !env['SMTP_URL'];
  const shopTrouble = env['SHOP_TROUBLE'] || (isPlayground ? 'on' : 'off');
  return {
    ports,
    isWithoutKeys,
    isPlayground,
    databaseUrl: env['DATABASE_URL'] || undefined,
    // where `duework` finds it
    dataDir: join(stateDir, 'postgres'),
    redisUrl: env['DUEWORK_REDIS_URL'] || undefined,
    redisDir: join(stateDir, 'redis-data'),
    env: {
      ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
      HOST: host,
      API_KEYS: apiKeys,
      SHOP_TROUBLE: shopTrouble,
      SHOP_ORDERS: env['SHOP_ORDERS'] || shopTrouble,
      MAILBOX_URL: env['MAILBOX_URL'] || `http://127.0.0.1:${ports.MAILBOX_PORT}`,
      SMTP_URL: env['SMTP_URL'] || `smtp://127.0.0.1:${ports.SMTP_PORT}`,
      API_URL: `http://127.0.0.1:${ports.API_PORT}`,
      // alerts come to the mailbox, so that they can be seen
      ALERT_SMTP_URL: env['ALERT_SMTP_URL'] || `smtp://127.0.0.1:${ports.SMTP_PORT}`,
      ALERT_CONSOLE_URL: env['ALERT_CONSOLE_URL'] || `http://127.0.0.1:${ports.API_PORT}/console`,
      ALERT_MAIL_TO: env['ALERT_MAIL_TO'] || 'operator@duework.local',
      MAILBOX_DIR: env['MAILBOX_DIR'] || join(stateDir, 'mailbox'),
      TEMP_DIR: env['TEMP_DIR'] || join(stateDir, 'temp'),
      WEBHOOK_ALLOW_PRIVATE: env['WEBHOOK_ALLOW_PRIVATE'] || 'true',
    },
  };
}

/** How long the worker waits for its running jobs; it needs a little longer to release the rest. */
const drainMs = Number(process.env['SHUTDOWN_DEADLINE_MS'] || 10_000);

export interface ServiceSettings extends ServiceProgram {
  readonly name: 'mailbox' | 'api' | 'worker';
  readonly packageName: string;
  /** The variables of the ports it listens on; the first of them answers GET /readyz. */
  readonly ports: readonly [PortVariable, ...PortVariable[]];
  /** How long the program may take to stop. */
  readonly stopSeconds: number;
}

/** The programs, in the order in which they are started; they are stopped in the opposite one. */
export const services: readonly ServiceSettings[] = [
  {
    name: 'mailbox',
    packageName: '@duework/mailbox',
    main: 'apps/mailbox/dist/main.js',
    ports: ['MAILBOX_PORT', 'SMTP_PORT'],
    stopSeconds: 5,
  },
  { name: 'api', packageName: '@duework/api', main: 'apps/api/dist/main.js', ports: ['API_PORT'], stopSeconds: 10 },
  {
    name: 'worker',
    packageName: '@duework/shop-worker',
    main: 'apps/worker/dist/main.js',
    nodeOptions: ['--max-old-space-size=512', '--min-semi-space-size=8'],
    ports: ['WORKER_PORT'],
    stopSeconds: 5 + drainMs / 1_000,
  },
];

/** The program that writes the demo data into an empty shop; a second run changes nothing. */
export const seedMain = 'apps/api/dist/seed-main.js';
