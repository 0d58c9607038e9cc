/**
 * Runs everything, from an empty clone to three programs that answer, and stops it again in the right order: worker,
 * API, mailbox, database.
 *
 * Until the database is started, Ctrl-C ends this process like any other. From then on a signal asks it to stop: the
 * current step is finished, and what was started is stopped. A second signal kills.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { below, stateDir } from '../../../bootstrap/paths.mjs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { waitUntilReady } from '../../kit/wait-until-ready.js';
import { checkPorts } from './check-ports.js';
import { createPrinter, type Printer, type PrinterOptions } from './create-printer.js';
import { endEarlierStart, forgetServices, rememberServices } from './end-earlier-start.js';
import { migrate, openDatabase, seed, type StartDatabase } from './prepare-database.js';
import { openRedis, type StartRedis } from './redis.js';
import { foundAll, nameShards, shardSettings } from './shards.js';
import { readSettings, services, type ServiceSettings, type StartSettings } from './settings.js';
import { startKillable, type KillableService } from './start-killable.js';
import { type RunningService, stopServices } from './stop-services.js';
import { describeAddresses } from './texts.js';

/** What is started. */
export interface StartShape {
  /** How many databases. */
  readonly shards: number;
  /** With a dedicated queue beside the table. */
  readonly isWithRedis: boolean;
}

/** @returns the exit code */
export async function runStart(
  options: PrinterOptions,
  { shards = 1, isWithRedis = false }: Partial<StartShape> = {},
): Promise<number> {
  const settings = readSettings(process.env);
  if (shards > 1 && settings.databaseUrl !== undefined)
    throw new PlainError(
      '--shards starts databases of its own: leave DATABASE_URL out, or set SHARDS for the programs.',
    );
  if (shards > 1 && isWithRedis)
    throw new PlainError('--queue bullmq goes with one database: leave out it, or --shards.');
  const printer = createPrinter(options);
  await endEarlierStart(printer.say);
  await checkPorts(
    services.flatMap(({ ports }) => ports).map((variable) => ({ variable, port: settings.ports[variable] })),
  );
  return runUntilStopped(settings, printer, { shards, isWithRedis });
}

async function runUntilStopped(
  settings: StartSettings,
  printer: Printer,
  { shards, isWithRedis }: StartShape,
): Promise<number> {
  const { say } = printer;
  const running: RunningService[] = [];
  const databases: StartDatabase[] = [];
  let redis: StartRedis | null = null;
  let signals = 0;
  let onStop = (): void => {};
  const stopped = new Promise<void>((resolve) => (onStop = resolve));
  const isStopping = (): boolean => signals > 0;
  const onSignal = (): void => {
    signals += 1;
    if (signals === 1) {
      say('\nStopping; once more to stop at once.');
      onStop();
      return;
    }
    for (const { service } of running) service.stop('SIGKILL');
    for (const each of databases) each.stopNow();
    redis?.stopNow();
    forgetServices();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
  // A terminal that is closed, or `| head`, must not keep the rest from being stopped.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', () => {
      if (signals === 0) onSignal();
    });

  try {
    const database = await openDatabase(settings, say);
    databases.push(database);
    for (let n = 1; n < shards && !isStopping(); n++)
      databases.push(await openDatabase(shardSettings(settings, n), say));
    if (isWithRedis && !isStopping()) redis = await openRedis(settings);
    const env = {
      ...settings.env,
      DATABASE_URL: database.url,
      ...nameShards(databases),
      DUEWORK_KEYS: process.env['DUEWORK_KEYS'] || openOwnKeys(),
      // without --queue the programs are not to find one that is set for something else
      DUEWORK_REDIS_URL: redis?.url ?? '',
    };
    for (const { url } of databases) if (!isStopping()) await migrate(url, say);
    if (shards > 1 && !isStopping()) await foundAll(databases);
    if (!isStopping()) await seed(settings, env);
    if (!isStopping()) await startAll({ running, env, settings, printer, isStopping });
    if (!isStopping()) say(describeAddresses(settings, databases, redis));
    await Promise.race([stopped, firstDeath(running)]);
    return 0;
  } catch (error) {
    // Ctrl-C also ends the program of a step, such as initdb, whose failure is then expected.
    if (!isStopping()) throw error;
    return 0;
  } finally {
    await stopServices(running, say);
    forgetServices();
    if (databases.some(({ isEmbedded }) => isEmbedded)) say('Stopping PostgreSQL …');
    if (redis?.isOwn === true) say('Stopping Redis …');
    await Promise.all([redis?.stop(), ...databases.map((each) => each.stop())]);
  }
}

/** What signs the links of approvals. It is kept, because a job may wait for one longer than this runs. */
function openOwnKeys(): string {
  const file = join(stateDir, 'keys');
  mkdirSync(stateDir, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, `k1:${randomBytes(32).toString('base64')}`, { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

interface Starting {
  readonly running: RunningService[];
  readonly env: Readonly<Record<string, string>>;
  readonly settings: StartSettings;
  readonly printer: Printer;
  readonly isStopping: () => boolean;
}

async function startAll({ running, env, settings, printer, isStopping }: Starting): Promise<void> {
  const killable = new Map<ServiceSettings['name'], KillableService>();
  const remember = (): void => rememberServices(running.map(({ service }) => service));
  const killWorker = (message: unknown): void => {
    const { kind, restartAfterSeconds } = message as { kind?: unknown; restartAfterSeconds?: unknown };
    if (kind === 'kill-worker') killable.get('worker')?.killFor(Number(restartAfterSeconds) * 1_000);
  };
  for (const service of services) {
    const output = printer.open(service.name);
    const started = startKillable(service, {
      // whoever reaches the mailbox reads its mails, so that it stays on this machine wherever the API listens
      env: service.name === 'mailbox' ? { ...env, HOST: '127.0.0.1' } : env,
      onLine: output.take,
      // the page of the shop asks for it
      ...(service.name === 'api' ? { onMessage: killWorker } : {}),
      onChange(what) {
        remember();
        printer.say(`The ${service.name} ${what === 'killed' ? 'was killed, as was asked for' : 'starts again'}.`);
      },
    });
    killable.set(service.name, started);
    running.push({ service: started, ports: service.ports, stopSeconds: service.stopSeconds, output });
  }
  remember();
  let hasDied = false;
  // once a program has died nobody waits for it any more, or this process would stay for the whole minute of its limit
  const isOver = (): boolean => hasDied || isStopping();
  const ready = running.map(({ service, ports }) =>
    waitUntilReady(service.name, `http://127.0.0.1:${settings.ports[ports[0]]}/readyz`, isOver),
  );
  const death = firstDeath(running);
  death.catch(() => (hasDied = true));
  await Promise.race([Promise.all(ready), death]);
}

/** Rejects when a program ends without being asked to. */
function firstDeath(running: readonly RunningService[]): Promise<never> {
  return Promise.race(
    running.map(async ({ service: { name, exited }, output }) => {
      const { how } = await exited;
      const tail = output.tail().map((line) => `  ${line}`);
      throw new PlainError(
        `${tail.join('\n')}\nThe ${name} ended by itself (${how}). Its log: ${below(output.path)}`.trimStart(),
      );
    }),
  );
}
