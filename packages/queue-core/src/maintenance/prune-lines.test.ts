import { defineCatalog, defineJob, type JobContract } from '@duework/contracts';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { cancelJob } from '../queue/operate.js';
import { claimRuns } from '../sql/claim/claim-runs.js';
import { takeLooks } from '../sql/flow/take-looks.js';
import { takeTurns } from '../sql/flow/take-turns.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { buryRuns } from '../sql/settle/bury-runs.js';
import { createPostgresStore } from '../store/postgres-store.js';
import { UNCOUNTED_SNOOZES } from '../ports/runs.js';
import { pruneLines } from './prune-lines.js';

const payload = z.object({ n: z.int() });
const one = defineJob({ type: 'one', payload, limits: [{ by: 'n', max: 1 }] });
const call = defineJob({ type: 'call', payload, rate: { by: 'n', max: 1, per: '1h' } });
const block = defineJob({ type: 'block', payload, order: { by: 'n', onDead: 'block' } });
const fair = defineJob({ type: 'fair', payload, tenant: 'n' });
const frail = defineJob({ type: 'frail', payload, breaker: { by: 'n', share: 0.5, of: 4, pause: '1s' } });
const brief = defineJob({ type: 'brief', payload, rate: { by: 'n', max: 10, per: '1s' } });
const catalog = defineCatalog([one, call, block, fair, frail, brief]);
const ERROR = { code: 'boom', type: 'Error', message: 'boom', stack: null };
const contracts = new Map<string, JobContract>(catalog.map((contract) => [contract.type, contract]));

const database = useTestDatabase();
beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, job_history, flow_keys, flow_waits, flow_looks, flow_turns');
  await registerDefinitions(database.db, catalog);
});

const put = async (contract: JobContract, n: number, options = {}) =>
  (await enqueue(database.db, contract, { n }, options)).id;
/** What a worker does before it claims, until nothing is left to look at. */
const look = async (): Promise<void> => {
  while ((await takeLooks(database.db)) === 0);
  await takeTurns(database.db, 'default', 10);
};
const take = async () => {
  await look();
  return (await claimRuns(database.db, { queue: 'default', contracts, worker: 'w', limit: 100 })).runs;
};
const find = async () => createPostgresStore({ db: database.db }).findForgottenKeys();
const keys = async (): Promise<string[]> =>
  (await database.db.$queryRaw<{ key: string }[]>`SELECT key FROM duework.flow_keys ORDER BY key`).map(
    ({ key }) => key,
  );
const count = async (): Promise<object> => {
  const [row] = await database.db.$queryRaw<object[]>`SELECT
    (SELECT count(*)::integer FROM duework.flow_keys) AS keys, (SELECT count(*)::integer FROM duework.flow_waits) AS waits,
    (SELECT count(*)::integer FROM duework.flow_looks) AS looks, (SELECT count(*)::integer FROM duework.flow_turns) AS turns`;
  return row!;
};

describe('keys', () => {
  test('are removed where nothing would be lost, however many there are', async () => {
    await enqueueMany(
      database.db,
      Array.from({ length: 2_500 }, (_, n) => jobRequest(one, { n })),
    );
    for (const n of [1, 2]) await put(fair, n);
    await look();
    await database.db.$executeRaw`DELETE FROM duework.job_runs`;
    await pruneLines(database.db);
    expect(await count()).toEqual({ keys: 0, waits: 0, looks: 0, turns: 0 });
  });

  test('are left for the next time where the worker stops while the walk rests', async () => {
    await enqueueMany(
      database.db,
      Array.from({ length: 2_500 }, (_, n) => jobRequest(one, { n })),
    );
    await database.db.$executeRaw`DELETE FROM duework.job_runs`;
    await pruneLines(database.db, AbortSignal.abort());
    expect(await count()).toMatchObject({ waits: 500, looks: 2_500 });
    await pruneLines(database.db);
    expect(await count()).toMatchObject({ waits: 0 });
  });

  test('stay where somebody holds them or waits, where they are shut, where a rate has not rested and a breaker knows of a failure', async () => {
    await put(one, 1);
    await put(call, 1);
    await look();
    await put(one, 2, { delay: '1h' });
    await database.db.$executeRaw`INSERT INTO duework.flow_keys (key, rule, closed_until, recent, noted_at) VALUES
      ('limit/one.n/shut', 'limit/one.n', 'infinity', NULL, NULL), ('limit/one.n/over', 'limit/one.n', now(), NULL, NULL),
      ('breaker/frail.n/1', 'breaker/frail.n', NULL, '0100', now()), ('breaker/frail.n/2', 'breaker/frail.n', NULL, '000', now()),
      ('breaker/frail.n/3', 'breaker/frail.n', NULL, '0100', now() - interval '2 days'),
      ('limit/one.n/waits', 'limit/one.n', NULL, NULL, NULL)`;
    await database.db
      .$executeRaw`INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts, held_by, gates)
      VALUES (7, 'default', 'one', 1, 5, now(), '{}', 1, 'limit/one.n/waits', '{limit/one.n/waits}')`;
    await database.db.$executeRaw`SELECT duework.line_up('{7}')::text`;
    await pruneLines(database.db);
    expect(await keys()).toEqual([
      'breaker/frail.n/1',
      'limit/one.n/1',
      'limit/one.n/shut',
      'limit/one.n/waits',
      'rate/call.n/1',
    ]);
  });

  test('that are removed while a run is enqueued behind them let it in when it commits', async () => {
    await put(one, 1);
    const [run] = await take();
    await database.db.$executeRaw`DELETE FROM duework.job_runs WHERE id = ${BigInt(run!.id)}`;
    await database.connect().$transaction(async (other) => {
      await enqueue(other, one, { n: 1 });
      await enqueue(other, one, { n: 1 });
      await pruneLines(database.db);
      expect(await keys()).toEqual([]);
    });
    expect(await take()).toHaveLength(1);
  });

  test('that have become idle while a handler ran learn all the same what its attempt tells of them', async () => {
    await put(brief, 1);
    await put(frail, 1);
    const runs = await take();
    expect(runs).toHaveLength(2);
    // the rate has rested
    await database.db.$executeRaw`UPDATE duework.flow_keys SET next_at = now() WHERE next_at IS NOT NULL`;
    await pruneLines(database.db);
    expect(await keys()).toEqual([]);
    const store = createPostgresStore({ db: database.db });
    for (const { id, fence, gates, type } of runs) {
      const how =
        type === 'brief'
          ? ({ kind: 'snooze', delayMs: 30_000, maxSnoozes: UNCOUNTED_SNOOZES, shutMs: 30_000 } as const)
          : ({ kind: 'fail', error: ERROR, abort: null, delayMs: 30_000 } as const);
      await store.settle([{ id, fence, gates: gates!, ...how }]);
    }
    expect(
      await database.db.$queryRaw`
        SELECT key, closed_until > now() + interval '20 seconds' AS is_shut, recent FROM duework.flow_keys ORDER BY key`,
    ).toEqual([
      { key: 'breaker/frail.n/1', is_shut: null, recent: '1' },
      { key: 'rate/brief.n/1', is_shut: true, recent: null },
    ]);
    await put(brief, 1);
    expect(await take()).toEqual([]);
  });

  test('that somebody lets in at meanwhile stay, and so does what they hold', async () => {
    await put(one, 1);
    await look();
    await database.db.$executeRaw`DELETE FROM duework.job_runs`;
    await put(one, 1);
    await put(one, 1);
    await database.connect().$transaction(async (other) => {
      await takeLooks(other);
      await pruneLines(database.db);
    });
    expect(await keys()).toEqual(['limit/one.n/1']);
    expect(await take()).toHaveLength(1);
  });
});

test('places in lines and looks of runs that are gone are removed, and those of others stay', async () => {
  const ids = [];
  for (let n = 0; n < 3; n++) ids.push(await put(one, 1));
  const [later, gone] = [await put(one, 1, { delay: '1h' }), await put(one, 1, { delay: '1h' })];
  await look();
  for (const id of [ids[2]!, gone]) await cancelJob(database.db, id);
  await look();
  expect(await count()).toMatchObject({ waits: 2, looks: 2 });
  await pruneLines(database.db);
  expect(await database.db.$queryRaw`SELECT run_id::text FROM duework.flow_waits`).toEqual([{ run_id: ids[1] }]);
  expect(await database.db.$queryRaw`SELECT run_id::text FROM duework.flow_looks`).toEqual([{ run_id: later }]);
});

test('a run whose place in its line was deleted stands there again', async () => {
  const [, second] = [await put(one, 1), await put(one, 1)];
  const [run] = await take();
  await database.db.$executeRaw`DELETE FROM duework.flow_waits`;
  await database.db
    .$executeRaw`UPDATE duework.job_runs SET run_at = run_at - interval '2 minutes' WHERE id = ${BigInt(second!)}`;
  await database.db.$executeRaw`DELETE FROM duework.job_runs WHERE id = ${BigInt(run!.id)}`;
  expect(await take()).toEqual([]);
  await pruneLines(database.db);
  expect(await take()).toMatchObject([{ id: second }]);
});

describe('a key that has room and whose look was lost is found', () => {
  test('where looks were deleted', async () => {
    const id = await put(one, 1);
    await database.db.$executeRaw`DELETE FROM duework.flow_looks`;
    await find();
    expect(await take()).toMatchObject([{ id }]);
  });

  test('where the row of its holder has vanished', async () => {
    const [, second] = [await put(one, 1), await put(one, 1)];
    const [run] = await take();
    await find();
    expect(await count()).toMatchObject({ looks: 0 });
    await database.db.$executeRaw`DELETE FROM duework.job_runs WHERE id = ${BigInt(run!.id)}`;
    await find();
    expect(await take()).toMatchObject([{ id: second }]);
  });

  test('where the dead run that blocked it was removed', async () => {
    const [, second] = [await put(block, 1), await put(block, 1)];
    const [run] = await take();
    const error = { code: 'x', error_type: 'X', message: 'x', stack: null, abort_code: null, abort_stage: null };
    await buryRuns(database.db, [{ id: run!.id, fence: run!.fence, ...error }], { notes: null });
    await find();
    expect(await take()).toEqual([]);
    await database.db.$executeRaw`DELETE FROM duework.job_history`;
    await find();
    expect(await take()).toMatchObject([{ id: second }]);
  });

  test('where its own row, or the turn of a tenant, was deleted', async () => {
    const [, second] = [await put(one, 1), await put(one, 1)];
    const third = await put(fair, 1);
    while ((await takeLooks(database.db)) === 0);
    await database.db.$executeRaw`DELETE FROM duework.flow_keys`;
    await database.db.$executeRaw`DELETE FROM duework.flow_turns`;
    await database.db.$executeRaw`DELETE FROM duework.job_runs WHERE held_by IS NULL`;
    await find();
    await look();
    expect((await take()).map(({ id }) => id).sort()).toEqual([second, third].sort());
  });

  test('a portion of them in each call', async () => {
    await enqueueMany(
      database.db,
      Array.from({ length: 2_500 }, (_, n) => jobRequest(one, { n })),
    );
    await database.db.$executeRaw`DELETE FROM duework.flow_looks`;
    const store = createPostgresStore({ db: database.db });
    await store.findForgottenKeys();
    expect(await count()).toMatchObject({ looks: 2_000 });
    await store.findForgottenKeys();
    expect(await count()).toMatchObject({ looks: 2_500 });
  });
});
