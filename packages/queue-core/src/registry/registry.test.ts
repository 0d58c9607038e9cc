import { randomBytes } from 'node:crypto';
import { type Catalog, defineJob } from '@duework/contracts';
import { connectPrisma, Prisma } from '@duework/database';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { startTestWorker } from '@duework/testing';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { checkQueuedPayloads } from './check-queued-payloads.js';
import { pushContracts } from './registry.js';
import { readRegistry } from '../sql/registry/read-registry.js';
import type { Worker } from '../worker/create-worker.js';

const database = useTestDatabase();
const workers: Worker[] = [];
beforeEach(async () => {
  await emptyTables(database.db, 'job_contracts, worker_contracts, job_definitions, job_runs');
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

const v1 = z.object({ to: z.string() });
const first = defineJob({ type: 'mail', payload: v1 });
const second = defineJob({
  type: 'mail',
  version: 2,
  queue: 'mails',
  payload: z.object({ to: z.string(), copies: z.int() }),
  past: { 1: { payload: v1, lift: ({ to }) => ({ to, copies: 1 }) } },
});
const changed = defineJob({ type: 'mail', payload: z.object({ to: z.string().max(9) }) });
const letter = defineJob({ type: 'letter', payload: z.object({}) });

async function start(catalog: Catalog) {
  const handlers = Object.fromEntries(catalog.map(({ type }) => [type, () => {}])) as never;
  const started = await startTestWorker(database.db, { catalog, handlers });
  workers.push(started.worker);
  return started;
}
const versions = async (): Promise<unknown> =>
  (await readRegistry(database.db)).map(({ type, versions: all }) => [type, ...all.map(({ version }) => version)]);

describe('a deploy', () => {
  test('pushes the versions that are new, each with its schema and the moment when it was first seen', async () => {
    expect(await pushContracts(database.db, [first])).toMatchObject([{ type: 'mail', version: 1 }]);
    const [pushed] = await readRegistry(database.db);
    expect(pushed).toMatchObject({
      type: 'mail',
      defaults: { queue: 'default' },
      versions: [{ version: 1, workers: [] }],
    });
    expect(pushed!.versions[0]!.payloadSchema).toEqual(first.payloadJsonSchema);
    expect(await pushContracts(database.db, [second])).toMatchObject([{ type: 'mail', version: 2 }]);
    expect(await pushContracts(database.db, [second])).toEqual([]);
    expect((await readRegistry(database.db))[0]!.versions[0]).toEqual(pushed!.versions[0]);
  });

  test('lets SQL enqueue a type before its first worker', async () => {
    await pushContracts(database.db, [letter]);
    expect(await database.db.$queryRaw`SELECT is_deduplicated FROM duework.enqueue('letter', '{}')`).toEqual([
      { is_deduplicated: false },
    ]);
  });

  test('that changes a schema under an unchanged version is refused, and nothing of it is written', async () => {
    await pushContracts(database.db, [first]);
    await expect(pushContracts(database.db, [letter, changed])).rejects.toMatchObject({
      code: 'contract_changed',
      facts: { changed: [{ type: 'mail', version: 1 }] },
    });
    expect(await versions()).toEqual([['mail', 1]]);
    // other words for the same values change nothing
    const described = defineJob({ type: 'mail', payload: z.object({ to: z.string().describe('whom') }) });
    expect(await pushContracts(database.db, [described])).toEqual([]);
  });

  test('that meets another one at the same moment waits for it, and is refused by what that one wrote', async () => {
    const other = database.connect();
    const waiting = (): Promise<unknown[]> => database.db.$queryRaw`
      SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()`;
    let late: Promise<unknown>;
    await database.db.$transaction(async (tx) => {
      await pushContracts(tx as never, [first]);
      late = pushContracts(other, [changed, letter]).then(
        () => 'pushed',
        (error: { code: string }) => error.code,
      );
      while ((await waiting()).length === 0);
    });
    expect(await late!).toBe('contract_changed');
    expect(await versions()).toEqual([['mail', 1]]);
  });
});

test('a role that may read and add contracts can check and push, and can change and delete nothing', async () => {
  const role = `deployer_${randomBytes(6).toString('hex')}`;
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'secret'];
  const run = (text: string): Promise<unknown> => database.db.$executeRaw(Prisma.raw(text));
  await run(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
  const db = connectPrisma({ url: url.toString(), poolSize: 1 });
  try {
    await run(`GRANT USAGE ON SCHEMA duework TO ${role}`);
    await run(`GRANT SELECT ON ALL TABLES IN SCHEMA duework TO ${role}`);
    await run(`GRANT INSERT ON duework.job_contracts TO ${role}`);
    await run(`GRANT INSERT, UPDATE ON duework.job_definitions TO ${role}`);
    // rules that no contract declares any more go
    await run(`GRANT INSERT, UPDATE, DELETE ON duework.flow_rules TO ${role}`);
    // and those at which runs were held are looked at
    await run(`GRANT INSERT ON duework.flow_looks TO ${role}`);
    expect(await pushContracts(db, [first])).toHaveLength(1);
    expect(await pushContracts(db, [second])).toHaveLength(1);
    expect(await checkQueuedPayloads(db, [second])).toEqual([]);
    await expect(db.$executeRaw`UPDATE duework.job_contracts SET checksum = ''`).rejects.toThrow('permission denied');
    await expect(db.$executeRaw`DELETE FROM duework.job_contracts`).rejects.toThrow('permission denied');
  } finally {
    await db.$disconnect();
    await run(`DROP OWNED BY ${role}`);
    await run(`DROP ROLE ${role}`);
  }
});

describe('a worker', () => {
  test('writes what it reads when it starts, and is named while it lives, with the defaults of its contract', async () => {
    const { worker } = await start([second]);
    const find = async () => (await readRegistry(database.db))[0]!;
    // it says what it reads in a loop of its own
    while ((await find()).versions[0]!.workers.length === 0);
    const { defaults, versions: all } = await find();
    expect(defaults).toMatchObject({
      version: 2,
      queue: 'mails',
      priority: 5,
      maxAttempts: 10,
      retry: { kind: 'exponential' },
      payload: null,
    });
    expect(all.map(({ version, workers: names }) => [version, names])).toEqual([
      [1, [worker.name]],
      [2, [worker.name]],
    ]);
    // one that is registered, seen just now, and whose lock nobody holds was killed
    await database.db.$executeRaw`INSERT INTO duework.workers (name) VALUES ('killed')`;
    await database.db.$executeRaw`
      INSERT INTO duework.worker_contracts (worker, queues, contracts) VALUES ('killed', '{mails}', '{"mail": [1, 2]}')`;
    expect((await find()).versions.map(({ workers: names }) => names)).toEqual([[worker.name], [worker.name]]);
    await database.db.$executeRaw`DELETE FROM duework.workers WHERE name = 'killed'`;
    await database.db.$executeRaw`UPDATE duework.worker_contracts SET seen_at = now() - interval '4 minutes'`;
    expect((await find()).versions.map(({ workers: names }) => names)).toEqual([[], []]);
  });

  test('whose schema was changed under its version says so and goes on', async () => {
    await pushContracts(database.db, [first]);
    const { events } = await start([changed, letter]);
    expect(await events.waitFor('contract.changed')).toMatchObject([{ type: 'mail', version: 1 }]);
    expect(await versions()).toEqual([
      ['letter', 1],
      ['mail', 1],
    ]);
    expect((await readRegistry(database.db))[1]!.versions[0]!.payloadSchema).toEqual(first.payloadJsonSchema);
  });

  test('that finds nothing new writes nothing', async () => {
    await pushContracts(database.db, [first]);
    const read = () => database.db.$queryRaw`SELECT xmin::text, ctid::text FROM duework.job_contracts`;
    const before = await read();
    await start([first]);
    expect(await read()).toEqual(before);
  });
});
