import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { connectPg, type PgClient } from '@duework/database';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { defineJob } from '@duework/contracts';
import { enqueue, getJob } from '@duework/queue-core';
import { getSchedule } from '@duework/schedules';
import { z } from 'zod';
import { fixtureUrl, startFixture } from './testing/start-fixture.js';
import { startVisited } from './testing/start-visited.js';
import { killWorkers, type WorkerProcess } from './testing/start-worker-process.js';
import { until } from './testing/until.js';

const greet = defineJob({ type: 'greet', payload: z.object({ name: z.string() }) });
const visit = defineJob({ type: 'visit', payload: z.object({ url: z.url() }) });
const giveUp = defineJob({ type: 'give_up', payload: z.object({}) });

let database: TestDatabase;
let db: PgClient;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectPg({ url: database.url, poolSize: 2 });
});
afterEach(() => killWorkers());
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

interface Start {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  readonly options?: object;
}

function start(name: string, { env, args, nodeArgs, options = {} }: Start = {}): WorkerProcess {
  const variables = { DATABASE_URL: database.url, OPTIONS: JSON.stringify(options), ...env };
  return startFixture(name, { env: variables, args: args ?? [], nodeArgs: nodeArgs ?? [] });
}

async function stop(worker: WorkerProcess): Promise<void> {
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
}

test('three lines run a job, answer probes and metrics, and keep the schedules of the code', async () => {
  const worker = start('worker', { env: { WORKER_NAME: 'three-lines' } });
  const { id } = await enqueue(db, greet, { name: 'whisper' });
  expect(await worker.line('job.succeeded', { id })).toMatchObject({
    level: 30,
    time: expect.stringMatching(/^\d{4}-.+Z$/),
    app: 'worker',
    worker: expect.stringMatching(/^three-lines-[0-9a-f]{4}$/),
    type: 'greet',
  });
  expect(await worker.line('greeted', { id })).toMatchObject({ type: 'greet', attempt: 1, length: 7 });
  const address = await worker.address();
  const ask = (path: string, method = 'GET') => fetch(`${address}${path}`, { method });
  expect(await (await ask('/livez')).json()).toEqual({ status: 'live' });
  expect(await (await ask('/readyz?from=probe')).json()).toEqual({ status: 'ready' });
  expect((await ask('/livez', 'HEAD')).status).toBe(200);
  expect((await ask('/livez', 'POST')).status).toBe(405);
  expect((await ask('/')).status).toBe(404);
  const metrics = await (await ask('/metrics')).text();
  expect(metrics).toContain('duework_jobs_finished_total{type="greet",result="succeeded"} 1');
  expect(metrics).toContain('duework_queue_jobs{queue="default",type="greet",state="due"} 0');
  expect(metrics).toContain('process_cpu_seconds_total');
  expect(await getSchedule(db, 'greeting')).toMatchObject({ source: 'code', cron: '0 2 * * *' });
  await stop(worker);
  expect(JSON.stringify(worker.lines)).not.toContain('whisper');
});

test('SIGTERM lets a running job end, and the program goes on after its worker', async () => {
  const site = await startVisited();
  const worker = start('optional');
  const { id } = await enqueue(db, visit, { url: site.url });
  await site.visited;
  worker.signal('SIGTERM');
  await worker.line('worker.draining', { running: 1 });
  expect((await fetch(`${await worker.address()}/readyz`)).status).toBe(503);
  site.answer();
  expect(await worker.ended).toBe(0);
  expect((await getJob(db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1 });
  expect(worker.lines.at(-1)).toEqual({ msg: 'program.goes_on' });
  site.stop();
});

test('a second SIGTERM releases a running job, uncharged, and the program ends with 143', async () => {
  const site = await startVisited();
  const worker = start('optional', { options: { shutdownDeadlineMs: 600_000 } });
  const { id } = await enqueue(db, visit, { url: site.url });
  await site.visited;
  worker.signal('SIGTERM');
  await worker.line('worker.draining');
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(143);
  expect((await getJob(db, id)).job).toMatchObject({ status: 'queued', attempts: 0 });
  const next = start('worker');
  site.answer();
  await next.line('job.succeeded', { id });
  await stop(next);
  site.stop();
});

test('what is wrong at the start is told in readable lines, with the exit code', async () => {
  const empty = await createTestDatabase({ isMigrated: false });
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const cases: readonly (readonly [WorkerProcess, number, string | RegExp])[] = [
    [start('worker', { env: { DATABASE_URL: '' } }), 2, /^DATABASE_URL must be set, to postgres:\/\/USER/],
    [
      start('optional', { options: { concurrency: 0 } }),
      2,
      'concurrency must be a whole number from 1 to 1000, but it is "0"',
    ],
    [start('worker', { args: ['--twice'] }), 2, /^Unknown option '--twice'.* See --help\.$/],
    [start('worker', { args: ['--max-runtime', '5s'] }), 2, '--max-runtime goes with --once.'],
    [
      start('no-handler'),
      2,
      'There is no handler for the job type greet. Add greet: async ({ payload }) => { … } to handlers, or take its contract out of this worker’s catalog.',
    ],
    [
      start('worker', { env: { DATABASE_URL: empty.url, DATABASE_WAIT_MS: '0' } }),
      1,
      /^The database lacks \d+ of \d+ migrations\. Run: .*migrate$/,
    ],
    [
      start('worker', { env: { WORKER_PORT: String(port) } }),
      1,
      `Port ${port} on 127.0.0.1 is taken. Set WORKER_PORT to a free port.`,
    ],
    [
      start('worker', {
        env: { DATABASE_URL: 'postgres://postgres:geheim@127.0.0.1:1/duework', DATABASE_WAIT_MS: '0' },
      }),
      1,
      /^Cannot reach PostgreSQL at 127\.0\.0\.1:1\/duework: nothing answers there\. Start PostgreSQL/,
    ],
  ];
  for (const [worker, code, line] of cases) {
    expect([await worker.ended, worker.errors]).toEqual([
      code,
      [typeof line === 'string' ? line : expect.stringMatching(line)],
    ]);
    expect(worker.lines.map(({ msg }) => msg)).not.toContain('worker.started');
  }
  taken.close();
  await empty.drop();
});

test('options win over the environment', async () => {
  const worker = start('optional', {
    env: { WORKER_NAME: 'by-variable', CONCURRENCY: 'many', DATABASE_URL: 'nonsense' },
    options: { databaseUrl: database.url, workerName: 'by-option', concurrency: 3 },
  });
  expect(await worker.line('worker.started')).toMatchObject({
    worker: expect.stringMatching(/^by-option-[0-9a-f]{4}$/),
    concurrency: 3,
  });
  const { id } = await enqueue(db, greet, { name: 'world' });
  // what middleware adds
  expect(await worker.line('greeted', { id })).toMatchObject({ said: 'hello' });
  await stop(worker);
});

test.each([
  ['the argument --once', { args: ['--once', '--max-runtime', '10s'] }],
  ['the option once', { options: { once: { maxRuntime: '10s' } } }],
])('%s runs what is due and ends with 0, or with 4 when a job was given up', async (_, how) => {
  const { id } = await enqueue(db, greet, { name: 'world' });
  const worker = start('optional', how);
  expect(await worker.ended).toBe(0);
  expect(await worker.line('once.ended')).toMatchObject({ result: 'done', dead: 0 });
  expect((await getJob(db, id)).job.status).toBe('succeeded');
  expect(worker.lines.map(({ msg }) => msg)).not.toContain('http.listening');
  await enqueue(db, giveUp, {});
  expect(await start('optional', how).ended).toBe(4);
});

test('--help says how the program is used', async () => {
  const worker = start('worker', { args: ['--help'], env: { DATABASE_URL: '' } });
  expect(await worker.ended).toBe(0);
  expect(worker.texts.join('\n')).toMatch(/^Usage: node worker\.mjs \[--once/);
});

test('a given logger gets every line', async () => {
  const worker = start('own-log', { env: { WORKER_NAME: 'own' } });
  const { id } = await enqueue(db, greet, { name: 'world' });
  expect(await worker.line('greeted', { id })).toMatchObject({
    own: 'info',
    worker: expect.stringMatching(/^own-[0-9a-f]{4}$/),
    type: 'greet',
  });
  const dead = await enqueue(db, giveUp, {});
  expect(await worker.line('job.dead', { id: dead.id })).toMatchObject({ own: 'error', errorCode: 'no_hope' });
  await stop(worker);
});

test('a program that leaves a timer running still ends', async () => {
  const worker = start('own-log');
  await worker.line('worker.started');
  worker.signal('SIGTERM');
  expect(await Promise.race([worker.ended, delay(20_000, 'still running', { ref: false })])).toBe(0);
});

test('a worker whose log nobody reads any more runs jobs, and stops as asked', async () => {
  const worker = start('worker');
  await worker.line('worker.started');
  worker.mute();
  const { id } = await enqueue(db, greet, { name: 'world' });
  await until(async () => (await getJob(db, id)).job.status === 'succeeded');
  await stop(worker);
});

test('without nodemailer a worker that is to mail alerts does not start, and says what to install', async () => {
  const worker = start('worker', {
    nodeArgs: ['--import', fixtureUrl('hide-nodemailer')],
    env: { ALERT_SMTP_URL: 'smtp://127.0.0.1:25', ALERT_MAIL_TO: 'ana@example.com' },
  });
  expect(await worker.ended).toBe(2);
  expect(worker.errors).toEqual([
    'ALERT_MAIL_TO needs nodemailer, which is not installed. Run: npm install nodemailer',
  ]);
});

test('without bullmq a worker that is to serve a dedicated queue does not start, and says what to install', async () => {
  const nodeArgs = ['--import', fixtureUrl('hide-bullmq')];
  const worker = start('worker', { nodeArgs, env: { DUEWORK_REDIS_URL: 'redis://127.0.0.1:6379' } });
  expect(await worker.ended).toBe(2);
  expect(worker.errors).toEqual([
    'DUEWORK_REDIS_URL needs @duework/bullmq, bullmq and ioredis, which are not all installed. Run: npm install @duework/bullmq bullmq ioredis',
  ]);
  const without = start('worker', { nodeArgs });
  await without.line('worker.started');
  await stop(without);
});

test('without prom-client a worker runs, and /metrics says what to install', async () => {
  const worker = start('worker', { nodeArgs: ['--import', fixtureUrl('hide-metrics')] });
  await worker.line('worker.started');
  const address = await worker.address();
  const answer = await fetch(`${address}/metrics`);
  expect(answer.status).toBe(501);
  expect(await answer.text()).toBe('Metrics need prom-client. Run: npm install prom-client\n');
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  await stop(worker);
});

test('a second worker on one host takes another port than 4601 and says so, and in production it does not start', async () => {
  const taken = createServer();
  // somebody else may have it already, which is as good
  await new Promise<void>((resolve) => taken.once('error', () => resolve()).listen(4601, '127.0.0.1', resolve));
  const second = start('worker', { env: { WORKER_PORT: '' } });
  const { port } = await second.line('http.listening');
  expect(port).not.toBe(4601);
  expect(await second.line('http.port_taken')).toMatchObject({ level: 40, port: 4601, instead: port });
  expect((await fetch(`http://127.0.0.1:${Number(port)}/livez`)).status).toBe(200);
  await stop(second);
  const production = start('worker', { env: { WORKER_PORT: '', NODE_ENV: 'production' } });
  expect([await production.ended, production.errors]).toEqual([
    1,
    ['Port 4601 on 127.0.0.1 is taken. Set WORKER_PORT to a free port.'],
  ]);
  taken.close();
});

test('two workers in one process give each queue slots of its own, and stop together', async () => {
  const payload = z.object({});
  const post = defineJob({ type: 'post', queue: 'post', payload });
  const print = defineJob({ type: 'print', queue: 'print', payload });
  const posted = await Promise.all(Array.from({ length: 12 }, () => enqueue(db, post, {})));
  const printed = await Promise.all(Array.from({ length: 4 }, () => enqueue(db, print, {})));
  const both = start('two-workers');
  for (const { id } of [...posted, ...printed]) await both.line('job.succeeded', { id });
  const worked = both.lines.filter(({ msg }) => msg === 'worked');
  expect(Math.max(...worked.map(({ post: at }) => at as number))).toBe(3);
  expect(Math.max(...worked.map(({ print: at }) => at as number))).toBe(1);
  await stop(both);
});

test('WORKER_PORT=none: a worker listens nowhere', async () => {
  const worker = start('worker', { env: { WORKER_PORT: 'none' } });
  await worker.line('worker.started');
  await stop(worker);
  expect(worker.lines.map(({ msg }) => msg)).not.toContain('http.listening');
});

test('an unhandled rejection stops the worker with exit code 1', async () => {
  const stray = "data:text/javascript,process.on('SIGUSR2', () => { Promise.reject(new Error('stray')); })";
  const worker = start('worker', { nodeArgs: ['--import', stray] });
  await worker.line('worker.started');
  worker.signal('SIGUSR2');
  expect(await worker.line('process.failed')).toMatchObject({
    level: 60,
    fault: 'unhandledRejection',
    err: { type: 'Error', message: 'stray', stack: expect.stringContaining('stray') },
  });
  expect(await worker.ended).toBe(1);
});
