import { defineCatalog, defineJob, type JobContract } from '@duework/contracts';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { openQueue } from '../queue/open-queue.js';
import { updateJob } from '../queue/operate.js';
import { claimRuns } from '../sql/claim/claim-runs.js';
import { takeLooks } from '../sql/flow/take-looks.js';
import { takeTurns } from '../sql/flow/take-turns.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { failRuns } from '../sql/settle/fail-runs.js';
import { expireRuns } from '../sql/upkeep/expire-runs.js';

const payload = z.object({ account: z.int(), n: z.int() });
const limited = defineJob({ type: 'limited', payload, limits: [{ by: 'account', max: 1 }], expiresAfter: '1h' });
const ordered = defineJob({ type: 'ordered', payload, order: 'account' });
const turned = defineJob({ type: 'turned', payload, tenant: 'account', queues: ['default', 'bulk'] });
const newest = defineJob({
  type: 'newest',
  payload,
  limits: [{ max: 1 }],
  unique: { by: 'account', onConflict: 'replace', maxDelay: '1m' },
});
const only = defineJob({
  type: 'only',
  payload,
  limits: [{ max: 1 }],
  unique: { by: 'account', onConflict: 'cancel_running' },
});
const catalog = defineCatalog([limited, ordered, turned, newest, only]);
const contracts = new Map<string, JobContract>(catalog.map((contract) => [contract.type, contract]));

const database = useTestDatabase();
beforeEach(async () => {
  await emptyTables(
    database.db,
    'job_runs, job_keys, job_history, expiries, flow_keys, flow_waits, flow_looks, flow_turns',
  );
  await registerDefinitions(database.db, catalog);
});
const of = (account: number, n = 1) => ({ account, n });
const put = async (contract: JobContract, given: { account: number; n: number }, options = {}) =>
  (await enqueue(database.db, contract, given, options)).id;
/** What a worker does before it claims, until nothing is left to look at. */
const look = async (): Promise<void> => {
  while ((await takeLooks(database.db)) === 0);
};
const heldBy = async (id: string): Promise<string | null> =>
  (await database.db.jobRun.findUniqueOrThrow({ where: { id: BigInt(id) } })).heldBy;
const claim = async (queue = 'default') =>
  (await claimRuns(database.db, { queue, contracts, worker: 'w', limit: 10 })).runs;
/** As if a second had passed. */
const later = () => database.db.$executeRaw`UPDATE duework.flow_looks SET at = at - interval '1 second'`;
const error = { code: 'x', error_type: 'X', message: 'x', stack: null, abort_code: null, abort_stage: null };

describe('an update of a run that has gates', () => {
  test('gives it the gates of its new payload, and its old place to who waits there', async () => {
    const [first, second] = [await put(limited, of(1)), await put(limited, of(1))];
    await look();
    expect([await heldBy(first), await heldBy(second)]).toEqual([null, 'limit/limited.account/1']);
    await updateJob(database.db, first, { contract: limited, payload: of(2) });
    expect(await heldBy(first)).toBe('limit/limited.account/2');
    await look();
    expect([await heldBy(first), await heldBy(second)]).toEqual([null, null]);
  });

  test('leaves one that was let in where it is, whose gates stay the same', async () => {
    const id = await put(limited, of(1));
    await look();
    await updateJob(database.db, id, { contract: limited, payload: of(1, 2), priority: 1 });
    expect(await claim()).toMatchObject([{ id, payload: of(1, 2), priority: 1 }]);
  });

  test('to a later moment takes it out of its line, and its place goes to the next', async () => {
    const [first, second] = [await put(limited, of(1)), await put(limited, of(1))];
    await look();
    await updateJob(database.db, first, { delay: '1h' });
    await look();
    expect(await claim()).toMatchObject([{ id: second }]);
    expect(await heldBy(first)).toBe('limit/limited.account/1');
  });

  test('to a later moment holds for one that waits in an order, where its number alone tells its place', async () => {
    const [first, second] = [await put(ordered, of(1)), await put(ordered, of(1))];
    await updateJob(database.db, first, { delay: '1h' });
    await look();
    expect(await claim()).toMatchObject([{ id: second }]);
    await updateJob(database.db, first, { delay: '0s' });
    await look();
    expect(await claim()).toEqual([]);
  });

  test('lets a run that waits for its retry keep the order that it is in', async () => {
    const [first, second] = [await put(ordered, of(1)), await put(ordered, of(1))];
    await look();
    const [run] = await claim();
    await failRuns(database.db, [{ id: first, fence: run!.fence, ...error, delay_ms: 3_600_000 }]);
    await updateJob(database.db, first, { delay: '2h', contract: ordered, payload: of(1, 2) });
    await look();
    expect(await heldBy(second)).toBe('order/ordered.account/1');
    await updateJob(database.db, first, { delay: '0s' });
    expect(await claim()).toMatchObject([{ id: first, attempt: 2, payload: of(1, 2) }]);
  });

  test('of its priority has it stand where that one does', async () => {
    const [running, slow, urgent] = [await put(limited, of(1)), await put(limited, of(1)), await put(limited, of(1))];
    await look();
    await updateJob(database.db, urgent, { priority: 1 });
    await updateJob(database.db, running, { contract: limited, payload: of(2) });
    await look();
    expect([await heldBy(slow), await heldBy(urgent)]).toEqual(['limit/limited.account/1', null]);
  });
});

describe('what ends while it waits', () => {
  test('gives its place to the next, where it expires', async () => {
    const first = await put(limited, of(1), { expiresAfter: '1ms' });
    const second = await put(limited, of(1));
    await look();
    await database.db
      .$executeRaw`UPDATE duework.job_runs SET terms = duework.move_terms(terms, '-1 h') WHERE id = ${BigInt(first)}`;
    await database.db.$executeRaw`UPDATE duework.expiries SET at = at - interval '1 h' WHERE run_id = ${BigInt(first)}`;
    expect((await expireRuns(database.db, 10)).expired).toEqual([{ id: first, type: 'limited' }]);
    await look();
    expect(await heldBy(second)).toBeNull();
  });

  test('gives its place to the next, where a newer one comes instead, and no key is locked meanwhile', async () => {
    const [first, other] = [await put(only, of(1)), await put(only, of(2))];
    await look();
    expect([await heldBy(first), await heldBy(other)]).toEqual([null, 'limit/only']);
    await database.db.$transaction(async (tx) => {
      await enqueue(tx, only, of(1, 2));
      // somebody else looks at the key at this moment, and need not wait
      expect(await database.db.$queryRaw`SELECT key FROM duework.flow_keys FOR UPDATE NOWAIT`).toHaveLength(1);
    });
    await look();
    expect(await claim()).toMatchObject([{ id: other }]);
  });

  test('keeps its id where it is replaced, and its first moment counts for the longest delay', async () => {
    const id = await put(newest, of(1), { delay: '30s' });
    await database.db.$executeRaw`UPDATE duework.job_runs SET created_at = created_at - interval '1 h'`;
    expect(await put(newest, of(1, 2), { delay: '30s' })).toBe(id);
    await look();
    expect(await claim()).toMatchObject([{ id, payload: of(1, 2) }]);
  });
});

test('a tenant of a run that goes to another queue takes turns there', async () => {
  const id = await put(turned, of(1), { queue: 'bulk' });
  await database.db.$queryRaw`SELECT duework.enqueue('turned', '{"account": 1, "n": 2}', queue => 'bulk')::text`;
  await updateJob(database.db, id, { contract: turned, payload: of(2) });
  const runs = await database.db.jobRun.findMany({ orderBy: { id: 'asc' } });
  expect(runs.map(({ heldBy: at, gates }) => [at, gates])).toEqual(
    [2, 1].map((account) => [`tenant/bulk/${account}`, [`tenant/bulk/${account}`]]),
  );
  await look();
  await takeTurns(database.db, 'bulk', 10);
  expect((await claim('bulk')).map((run) => run.payload)).toEqual([of(2), of(1, 2)]);
});

test('a pause that commits while somebody lets in holds what it has missed a second later', async () => {
  const [first, second] = [await put(limited, of(1)), await put(limited, of(1))];
  await database.connect().$transaction(async (other) => {
    await takeLooks(other);
    await openQueue(database.db).pauseType('limited');
  });
  expect(await heldBy(first)).toBe(null);
  await later();
  await look();
  expect(await heldBy(first)).toBe('pause/type/limited');
  await openQueue(database.db).resumeType('limited');
  await look();
  expect([await heldBy(first), await heldBy(second)].filter((key) => key === null)).toHaveLength(1);
});

test('a pause that ends while somebody sends a run to wait for it lets that run go on as soon as it has come there', async () => {
  const [first, second] = [await put(limited, of(1)), await put(limited, of(1))];
  await openQueue(database.db).pauseType('limited');
  await database.connect().$transaction(async (other) => {
    await takeLooks(other);
    await openQueue(database.db).resumeType('limited');
    await takeLooks(database.db);
  });
  await look();
  expect([await heldBy(first), await heldBy(second)].filter((key) => key === null)).toHaveLength(1);
});
