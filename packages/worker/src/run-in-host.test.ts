import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg, DatabaseError, type PgClient, Prisma, PrismaClient, prismaPool } from '@duework/database';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { bury, enqueue, getJob, HandlersError, type Transactable, type WorkerEvent } from '@duework/queue-core';
import prom from 'prom-client';
import { PrismaPg } from '@prisma/adapter-pg';
import { z } from 'zod';
import { OptionsError } from './settings/options-error.js';
import { runWorker } from './run-worker.js';
import type { RunWorkerOptions, StartedWorker } from './run-worker-options.js';
import { createFact } from './testing/create-fact.js';
import { until } from './testing/until.js';

const greet = defineJob({ type: 'greet', payload: z.object({ name: z.string() }) });
const catalog = defineCatalog([greet]);
let database: TestDatabase;
let db: PgClient;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectPg({ url: database.url, poolSize: 2 });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

/** A worker in this process, which is not its own. */
function host(options: Partial<RunWorkerOptions<typeof catalog>> = {}) {
  let started: (worker: StartedWorker) => void = () => {};
  const running = new Promise<StartedWorker>((resolve) => (started = resolve));
  const ended = runWorker({
    catalog,
    handlers: { greet: () => {} },
    databaseUrl: database.url,
    workerPort: 'none',
    pollIntervalMs: 20,
    logLevel: 'silent',
    handleSignals: false,
    onStarted: started,
    ...options,
  });
  return { running, ended };
}

const signalsHandled = (): number => process.listenerCount('SIGTERM') + process.listenerCount('uncaughtException');

test('a worker in a host leaves signals, faults and the exit code alone, and ends with its signal', async () => {
  const before = signalsHandled();
  const greeted = createFact();
  const stopping = new AbortController();
  const events: WorkerEvent['name'][] = [];
  const { running, ended } = host({
    handlers: { greet: () => greeted.happen() },
    signal: stopping.signal,
    onEvent: ({ name }) => void events.push(name),
    workerName: 'hosted',
  });
  expect(await running).toMatchObject({ name: expect.stringMatching(/^hosted-[0-9a-f]{4}$/), port: null });
  expect(signalsHandled()).toBe(before);
  await enqueue(db, greet, { name: 'world' });
  await greeted.happened;
  stopping.abort();
  expect(await ended).toBe(0);
  expect(process.exitCode).toBeUndefined();
  expect(events).toEqual(expect.arrayContaining(['worker.started', 'job.claimed', 'job.succeeded', 'worker.stopped']));
});

const broken = (): never => {
  throw new Error('the worker has exited');
};

test.each<[string, Partial<RunWorkerOptions<typeof catalog>>]>([
  ['a logger whose transport has ended', { log: { debug: broken, info: broken, warn: broken, error: broken } }],
  ['a logger without children any more', { log: { ...console, debug: broken, info: broken, child: broken } }],
  ['a logger that rejects', { log: { debug: broken, info: async () => broken(), warn: broken, error: broken } }],
  ['an onEvent that throws', { onEvent: broken }],
  ['an onEvent that rejects', { onEvent: async () => broken() }],
])('jobs run with %s', async (_, options) => {
  const { running, ended } = host({ handlers: { greet: ({ log }) => log.info({}, 'greeted') }, ...options });
  const { stop } = await running;
  const { id } = await enqueue(db, greet, { name: 'world' });
  await until(async () => (await getJob(db, id)).job.status === 'succeeded');
  stop();
  expect(await ended).toBe(0);
  expect((await getJob(db, id)).job).toMatchObject({ attempts: 1, errorCode: null });
});

test('that an onEvent fails is logged once', async () => {
  const logged: string[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (_: object, message?: string) => void logged.push(message!) };
  const { running, ended } = host({ log, onEvent: broken });
  (await running).stop();
  expect(await ended).toBe(0);
  expect(logged).toEqual(['listener.failed']);
});

test('an onStarted that throws does not keep the worker from running', async () => {
  const stopping = new AbortController();
  const { ended } = host({
    onStarted: () => {
      stopping.abort();
      broken();
    },
    signal: stopping.signal,
  });
  expect(await ended).toBe(0);
});

test('a registry can be given to one worker after the other, and not to two at once', async () => {
  const registry = new prom.Registry();
  registry.registerMetric(new prom.Counter({ name: 'orders_total', help: 'theirs', registers: [] }));
  for (let nth = 0; nth < 2; nth++) {
    const { running, ended } = host({ registry });
    const { stop } = await running;
    await expect(host({ registry }).ended).rejects.toThrow(OptionsError);
    expect(await registry.metrics()).toContain('duework_running_jobs 0');
    stop();
    await ended;
    expect(registry.getMetricsAsArray().map(({ name }) => name)).toEqual(['orders_total']);
  }
});

test('a worker can be stopped by whoever got it when it started', async () => {
  const { running, ended } = host();
  (await running).stop();
  expect(await ended).toBe(0);
});

test('a signal that has aborted before the start, or during it, stops the worker with 0', async () => {
  expect(await host({ signal: AbortSignal.abort() }).ended).toBe(0);
  for (const turns of [0, 1, 5, 50]) {
    const stopping = new AbortController();
    const { ended } = host({ signal: stopping.signal });
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    stopping.abort();
    expect(await ended).toBe(0);
  }
});

test('a worker that waits for a database that does not answer can be stopped', async () => {
  const stopping = new AbortController();
  const sockets: Socket[] = [];
  const mute = createServer((socket) => {
    sockets.push(socket);
    stopping.abort();
  });
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const { port } = mute.address() as AddressInfo;
  const { ended } = host({ databaseUrl: `postgres://postgres@127.0.0.1:${port}/mute`, signal: stopping.signal });
  expect(await ended).toBe(0);
  for (const socket of sockets) socket.destroy();
  mute.close();
});

test('a worker that is stopped while it starts begins nothing more', async () => {
  const stopping = new AbortController();
  const sentLater: unknown[] = [];
  const engine: Transactable = {
    $queryRaw: (query) => {
      if (stopping.signal.aborted) sentLater.push(query);
      return db.$queryRaw(query);
    },
  };
  const silent = (): void => {};
  const info = (_: object, message?: string): void => {
    if (message === 'http.listening') stopping.abort();
  };
  const log = { debug: silent, info, warn: silent, error: silent };
  const { ended } = host({ prisma: engine, log, workerPort: 0, schedules: [], signal: stopping.signal });
  expect(await ended).toBe(0);
  expect(stopping.signal.aborted).toBe(true);
  expect(sentLater).toEqual([]);
});

test('in a host, an error on which a worker cannot start is thrown', async () => {
  await expect(host({ concurrency: 0 }).ended).rejects.toThrow(OptionsError);
  await expect(host({ argv: ['--twice'] }).ended).rejects.toThrow(OptionsError);
  for (const [option, told] of [
    ['concurency', ' (do you mean concurrency?)'],
    ['onevent', ' (do you mean onEvent?)'],
    ['teamSize', ': here it is concurrency'],
    ['connectionString', ': here it is databaseUrl'],
    ['attempts', ': here it is an option of defineJob'],
  ])
    await expect(host({ [option!]: 1 }).ended).rejects.toThrow(`runWorker: there is no option "${option}"${told}`);
  for (const option of ['catalog', 'handlers'])
    await expect(host({ [option]: undefined } as never).ended).rejects.toThrow(`runWorker needs ${option}.`);
  // a module of jobs, spread, has its contracts beside its catalog
  await expect(host({ ...{ greet }, handlers: {} as never }).ended).rejects.toThrow(HandlersError);
  await expect(host({ databaseUrl: 'postgres://nobody@127.0.0.1:1/x', databaseWaitMs: 0 }).ended).rejects.toThrow(
    DatabaseError,
  );
  await expect(host({ schedules: [], schedulesVersion: 0 }).ended).rejects.toMatchObject({ code: 'invalid_option' });
});

test('metrics of the program are on the same page, in its own registry', async () => {
  const registry = new prom.Registry();
  new prom.Counter({ name: 'shop_orders_total', help: 'Orders', registers: [registry] }).inc(3);
  const { running, ended } = host({ workerPort: 0, registry });
  const { port, stop } = await running;
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(text).toContain('shop_orders_total 3');
  expect(text).toContain('duework_worker_slots 10');
  stop();
  expect(await ended).toBe(0);
});

/** A client of Prisma 7 as a team makes it, and the texts that it has sent. */
function openPrisma(...adapter: ConstructorParameters<typeof PrismaPg>) {
  const prisma = new PrismaClient({ adapter: new PrismaPg(...adapter), log: [{ emit: 'event', level: 'query' }] });
  const sent: string[] = [];
  prisma.$on('query', ({ query }) => void sent.push(query));
  return { prisma, sent };
}

test('a Prisma client claims and settles, LISTEN and leases stay on pg, and the client stays open', async () => {
  const { prisma, sent } = openPrisma(...prismaPool(database.url, { applicationName: 'through-prisma' }));
  const greeted = createFact();
  const succeeded = createFact();
  const warned: string[] = [];
  const { running, ended } = host({
    prisma,
    handlers: { greet: () => greeted.happen() },
    onEvent: ({ name }) => name === 'job.succeeded' && succeeded.happen(),
    log: { debug: () => {}, info: () => {}, warn: (_, text) => void warned.push(String(text)), error: () => {} },
  });
  const { stop } = await running;
  await enqueue(db, greet, { name: 'world' });
  await greeted.happened;
  await succeeded.happened;
  const sessions = await db.$queryRaw<{ name: string }[]>(
    Prisma.sql`SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE datname = current_database()`,
  );
  const names = sessions.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['through-prisma', 'duework leases', 'duework wake-ups']));
  expect(names).not.toContain('duework-worker-engine');
  // the claim, and what the run became
  expect(sent.filter((text) => /SKIP LOCKED/.test(text) && /'running'/.test(text))).not.toEqual([]);
  expect(sent.filter((text) => /INSERT INTO duework\.job_history/.test(text))).not.toEqual([]);
  expect(sent.filter((text) => /\bLISTEN\b/.test(text))).toEqual([]);
  expect(warned).not.toContain('prisma.pool_small');
  stop();
  expect(await ended).toBe(0);
  expect(await prisma.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  await prisma.$disconnect();
});

test('a worker whose Prisma client has fewer connections than the slots that an operator sets says so', async () => {
  const warned: object[] = [];
  const isWarned = createFact();
  const log = {
    debug: () => {},
    info: () => {},
    warn: (facts: object, text: unknown) => {
      if (text !== 'prisma.pool_small') return;
      warned.push(facts);
      isWarned.happen();
    },
    error: () => {},
  };
  const { prisma } = openPrisma(...prismaPool(database.url));
  const { running, ended } = host({ prisma, log, concurrency: 2 });
  const { stop } = await running;
  await db.$queryRaw(Prisma.sql`INSERT INTO duework.queue_slots (queue, slots) VALUES ('default', 40)`);
  await isWarned.happened;
  await db.$queryRaw(Prisma.sql`DELETE FROM duework.queue_slots`);
  expect(warned).toEqual([expect.objectContaining({ wanted: 40, connections: expect.any(Number) })]);
  stop();
  expect(await ended).toBe(0);
  await prisma.$disconnect();
});

test('a Prisma client with too few connections is logged, and one of another zone or database refused', async () => {
  const warned: unknown[] = [];
  const log = { debug: () => {}, info: () => {}, warn: (facts: object) => void warned.push(facts), error: () => {} };
  const small = openPrisma({ connectionString: database.url, max: 1, options: '-c TimeZone=UTC' });
  const { running, ended } = host({ prisma: small.prisma, log });
  (await running).stop();
  expect(await ended).toBe(0);
  expect(warned).toContainEqual(expect.objectContaining({ connections: 1, wanted: 4 }));
  const shifted = openPrisma({ connectionString: database.url, options: '-c TimeZone=Europe/Berlin' });
  await expect(host({ prisma: shifted.prisma }).ended).rejects.toThrow(/time zone is Europe\/Berlin.*new PrismaPg/);
  const other = await createTestDatabase();
  const elsewhere = openPrisma(...prismaPool(other.url));
  await expect(host({ prisma: elsewhere.prisma }).ended).rejects.toThrow(/^prisma asks the database /);
  await Promise.all([small, shifted, elsewhere].map(({ prisma }) => prisma.$disconnect()));
  await other.drop();
});

test('a wake-up exits with 4 for a job that was given up, also where it learns of that when nothing is left', async () => {
  const draining = createFact();
  const engine: Transactable = {
    ...db,
    $queryRaw: async <T>(query: { readonly text: string }): Promise<T> => {
      const rows = await db.$queryRaw<T>(query as never);
      // the run is dead in the database, and the worker has not heard yet
      if (/'dead', now\(\)/.test(query.text)) await draining.happened;
      return rows;
    },
  };
  const { id } = await enqueue(db, greet, { name: 'nobody' });
  const { ended } = host({
    prisma: engine,
    once: true,
    handlers: { greet: () => bury('nobody', 'There is nobody of that name.') },
    onEvent: ({ name }) => name === 'worker.draining' && draining.happen(),
  });
  expect(await ended).toBe(4);
  expect((await getJob(db, id)).job.status).toBe('dead');
});

test('a worker that lacks a label of each type says which, and does not start', async () => {
  const video = defineJob({ type: 'video', payload: z.object({}), labels: ['gpu'] });
  const options = { catalog: defineCatalog([video]), handlers: { video: () => {} }, databaseUrl: database.url };
  const refused = runWorker({ ...options, labels: ['ssd'], handleSignals: false });
  await expect(refused).rejects.toBeInstanceOf(OptionsError);
  await expect(refused).rejects.toThrow(/LABELS must name gpu: each type of the catalog needs a label/);
});
