import { randomBytes } from 'node:crypto';
import { type Catalog, defineCatalog, defineJob, defineSignal, type JobContract } from '@duework/contracts';
import { connectPg, DatabaseError, type PgClient } from '@duework/database';
import { applyRoles } from '@duework/database/migrate';
import { createTestDatabase, withServer, type TestDatabase } from '@duework/database/testing';
import {
  addToBatch,
  complete,
  enqueue,
  enqueueBatch,
  enqueueMany,
  type Handlers,
  jobRequest,
  openQueue,
  signal,
  updateJob,
  type WorkerEvent,
} from '@duework/queue-core';
import { scheduleRequest, type ScheduleRequest } from '@duework/schedules';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { runWorker } from './run-worker.js';
import type { StartedWorker } from './run-worker-options.js';
import { until } from './testing/until.js';

const payload = z.object({ n: z.int() });
const limited = defineJob({
  type: 'limited',
  payload,
  queues: ['default', 'other'],
  limits: [{ max: 1 }],
  rate: { max: 1_000, per: '1s' },
  order: { by: 'n' },
  breaker: { share: 0.9, of: 10, pause: '1s' },
});
const turn = defineJob({ type: 'turn', payload, tenant: 'n' });
const paid = defineSignal({ name: 'paid', by: ['n'], payload });
const stepped = defineJob({ type: 'stepped', payload, durable: true });
const child = defineJob({ type: 'child', payload, result: payload });
const collected = defineJob({ type: 'collected', payload, collect: { max: 5, wait: '10ms' } });
const unique = defineJob({ type: 'unique', payload, unique: { by: 'n', onConflict: 'replace' } });
const told = defineJob({ type: 'told', payload: z.looseObject({}) });
const fails = defineJob({ type: 'fails', payload, maxAttempts: 1, onDead: told });
const late = defineJob({ type: 'late', payload, expiresAfter: '1s', onExpired: 'told' });
const done = defineJob({ type: 'done', payload: z.object({ batch: z.string() }) });
const tick = defineJob({ type: 'tick', payload });
const catalog = defineCatalog([limited, turn, stepped, child, collected, unique, told, fails, late, done, tick]);

const suffix = randomBytes(4).toString('hex');
const LOGINS = ['none', 'app', 'worker', 'operator', 'reader'] as const;
type Login = (typeof LOGINS)[number];
const nameOf = (login: Login): string => `${login}_${suffix}`;
let database: TestDatabase;
const urlOf = (login: Login): string =>
  Object.assign(new URL(database.url), { username: nameOf(login), password: suffix }).toString();
let app: PgClient;

beforeAll(async () => {
  database = await createTestDatabase();
  await applyRoles({ url: database.url });
  await withServer(database.url, async (owner) => {
    for (const login of LOGINS) {
      const of = login === 'none' ? '' : `IN ROLE duework_${login}`;
      await owner.query(`CREATE ROLE ${nameOf(login)} LOGIN PASSWORD '${suffix}' ${of}`);
    }
  });
  app = connectPg({ url: urlOf('app'), poolSize: 4 });
});
afterAll(async () => {
  await app.$disconnect();
  await withServer(database.url, async (owner) => {
    for (const login of LOGINS) await owner.query(`DROP OWNED BY ${nameOf(login)}; DROP ROLE ${nameOf(login)}`);
  });
  await database.drop();
});

const failures: string[] = [];
const log = {
  debug: () => {},
  info: () => {},
  warn: (facts: object, message?: string) => void failures.push(`${message} ${JSON.stringify(facts)}`),
  error: (facts: object, message?: string) => void failures.push(`${message} ${JSON.stringify(facts)}`),
};
const events: WorkerEvent[] = [];
const handlers: Handlers<typeof catalog> = {
  limited: () => {},
  turn: () => {},
  stepped: async ({ payload: { n }, step, sleep, waitFor, child: run }) => {
    await step('one', () => n);
    await sleep('1ms', { name: 'a little' });
    await waitFor(paid, { where: { n } });
    await run(child, { n });
  },
  child: ({ payload: { n } }) => complete({ n }),
  collected: (jobs) => jobs.map(() => complete()),
  unique: ({ once, progress }) => {
    progress({ half: true });
    return once('charge', () => Promise.resolve({ n: 1 })).then(() => complete());
  },
  told: () => {},
  fails: () => {
    throw new Error('no');
  },
  late: () => {},
  done: () => {},
  tick: () => {},
};

type Work = { readonly catalog: Catalog; readonly handlers: Handlers<Catalog> };

function host(
  login: Login,
  schedules: readonly ScheduleRequest[] = [],
  work: Work = { catalog, handlers: handlers as Handlers<Catalog> },
) {
  let started: (worker: StartedWorker) => void = () => {};
  const running = new Promise<StartedWorker>((resolve) => (started = resolve));
  const ended = runWorker({
    ...work,
    schedules,
    databaseUrl: urlOf(login),
    workerPort: 0,
    pollIntervalMs: 20,
    log,
    handleSignals: false,
    onStarted: started,
    onEvent: (event) => void events.push(event),
  });
  return { running, ended };
}

test.each(['none', 'app', 'operator', 'reader'] as const)(
  'a worker that connects with the rights of %s does not start, and says which role it needs',
  async (login) => {
    const refused = host(login).ended;
    await expect(refused).rejects.toThrow(DatabaseError);
    await expect(refused).rejects.toMatchObject({
      code: 'database_permission_denied',
      problem: expect.stringMatching(new RegExp(`^"${nameOf(login)}" may not do this at .*: permission denied for `)),
      fix: expect.stringContaining(`npx duework roles --grant duework_worker --to ${nameOf(login)}`),
    });
  },
);

test('an application with duework_app enqueues in every way, and a worker with duework_worker does all of it', async () => {
  const soon = new Date(Date.now() + 1_000);
  const { running, ended } = host('worker', [
    scheduleRequest(tick, { key: 'once', at: soon, payload: { n: 1 } }),
    scheduleRequest(tick, { key: 'nightly', cron: '0 2 * * *', payload: { n: 2 } }),
  ]);
  const { port, stop } = await running;
  const succeeded = ({ type }: JobContract): number =>
    events.filter((event) => event.name === 'job.succeeded' && event.run.type === type).length;

  await enqueue(
    app,
    limited,
    { n: 1 },
    {
      delay: '10ms',
      priority: 1,
      queue: 'other',
      idempotencyKey: 'k',
      maxAttempts: 3,
      meta: { a: 'b' },
      expiresAfter: '1h',
    },
  );
  await enqueueMany(app, [jobRequest(limited, { n: 2 }), jobRequest(turn, { n: 3 }, { runAt: new Date() })]);
  await app.$transaction((tx) => enqueue(tx, turn, { n: 4 }));
  await openQueue(app).enqueue(collected, { n: 5 });
  await enqueue(app, unique, { n: 6 }, { delay: '50ms' });
  await enqueue(app, unique, { n: 6 }, { delay: '50ms' });
  await enqueue(app, fails, { n: 7 });
  await enqueue(app, late, { n: 8 }, { runAt: new Date(Date.now() - 60_000) });
  await enqueue(app, stepped, { n: 9 });
  await signal(app, paid, { n: 9 });
  const { id } = await enqueueBatch(app, {
    name: 'all',
    jobs: [jobRequest(child, { n: 10 })],
    onSettled: (batch) => jobRequest(done, { batch }),
    onFirstDead: (batch) => jobRequest(done, { batch }),
  });
  const second = await enqueueBatch(app, { name: 'open', jobs: [jobRequest(child, { n: 11 }, { delay: '1h' })] });
  await addToBatch(app, second.id, [jobRequest(child, { n: 12 })]);
  await withServer(urlOf('app'), (sql) => sql.query(`SELECT duework.enqueue('turn', '{"n": 13}')`));
  expect(id).not.toBe(second.id);

  const expected = [
    [limited, 2],
    [turn, 3],
    [stepped, 1],
    [child, 3],
    [collected, 1],
    [unique, 1],
    [told, 2],
    [done, 1],
    [tick, 1],
  ] as const;
  await until(() => Promise.resolve(expected.every(([contract, times]) => succeeded(contract) === times)));
  for (const path of ['livez', 'readyz', 'metrics'])
    expect([path, (await fetch(`http://127.0.0.1:${port}/${path}`)).status]).toEqual([path, 200]);
  stop();
  expect(await ended).toBe(0);
  // the one that shall fail
  expect(failures).toEqual([expect.stringMatching(/^job\.dead .*"type":"fails"/)]);
});

test('after a deploy that changes rules, a worker with duework_worker gives what waits the gates of the new ones, and runs it', async () => {
  failures.length = 0;
  const rules = {
    limit: { limits: [{ by: 'n', max: 1 }] },
    rate: { rate: { max: 1_000, per: '1s' } },
    order: { order: { by: 'n' } },
    tenant: { tenant: 'n' },
    none: {},
  } as const;
  type Rule = keyof typeof rules;
  const names = Object.keys(rules) as Rule[];
  // each gets the rule of the next one
  const before = names.map((name) => defineJob({ type: `was_${name}`, payload, ...rules[name] }));
  const after = names.map((name, at) =>
    defineJob({ type: `was_${name}`, payload, ...rules[names[(at + 1) % names.length]!] }),
  );
  const workOn = (contracts: readonly JobContract[]): Work => ({
    catalog: defineCatalog(contracts),
    handlers: Object.fromEntries(contracts.map(({ type }) => [type, () => {}])),
  });
  const old = host('worker', [], workOn(before));
  (await old.running).stop();
  expect(await old.ended).toBe(0);

  const waiting = (contract: (typeof before)[number]) =>
    [1, 1, 2].map((n) => jobRequest(contract, { n }, { delay: '1h' }));
  const made = await enqueueMany(app, before.flatMap(waiting));
  const changed = host('worker', [], workOn(after));
  const { stop } = await changed.running;
  await withServer(database.url, async (owner) => {
    const types = before.map(({ type }) => type);
    const left = async (): Promise<number> =>
      (
        await owner.query('SELECT FROM duework.job_definitions WHERE gates_after IS NOT NULL AND type = ANY($1)', [
          types,
        ])
      ).rowCount!;
    await until(async () => (await left()) === 0);
    const { rows } = await owner.query<{ type: string; gates: number }>(
      `SELECT job_type AS type, count(*) FILTER (WHERE gates IS NOT NULL)::integer AS gates
       FROM duework.job_runs WHERE job_type = ANY($1) GROUP BY job_type`,
      [types],
    );
    const gatesOf = Object.fromEntries(rows.map(({ type, gates }) => [type, gates]));
    // what has no rules any more has no gates
    expect(gatesOf).toEqual({ was_limit: 3, was_rate: 3, was_order: 3, was_tenant: 0, was_none: 3 });
  });
  const operator = connectPg({ url: urlOf('operator'), poolSize: 1 });
  for (const { id } of made) await updateJob(operator, id, { runAt: new Date() });
  await operator.$disconnect();
  // a program of the old rules goes on
  made.push(
    ...(await enqueueMany(
      app,
      before.map((contract) => jobRequest(contract, { n: 3 })),
    )),
  );
  const ids = new Set(made.map(({ id }) => id));
  const finished = (): number =>
    new Set(events.flatMap((event) => (event.name === 'job.succeeded' && ids.has(event.run.id) ? [event.run.id] : [])))
      .size;
  await until(() => Promise.resolve(finished() === ids.size));
  stop();
  expect(await changed.ended).toBe(0);
  expect(failures).toEqual([]);
});
