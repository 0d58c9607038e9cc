import { defineCatalog, defineJob, type JobContract } from '@duework/contracts';
import { useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue, enqueueMany, jobRequest } from '../../enqueue/enqueue.js';
import type { ClaimedRun } from '../../ports/runs.js';
import { retryJob } from '../../queue/operate.js';
import { claimRuns } from '../claim/claim-runs.js';
import { hasWork } from '../claim/has-work.js';
import { registerDefinitions } from '../registry/register-definitions.js';
import { buryRuns } from '../settle/bury-runs.js';
import { completeRuns } from '../settle/complete-runs.js';

const payload = z.object({ account: z.int(), pages: z.int().optional() });
const plain = defineJob({ type: 'plain', payload });
const gated = defineJob({
  type: 'gated',
  payload,
  limits: [{ name: 'all', max: 5 }],
  order: 'account',
  rate: { name: 'pages', max: 100, per: '1s', cost: 5 },
});
const keyed = defineJob({
  type: 'keyed',
  payload,
  limits: [{ max: 1 }],
  idempotencyKey: ({ account }) => `k${account}`,
});
const coded = defineJob({ type: 'coded', payload, order: { name: 'code', by: ({ account }) => account % 2 } });
const catalog = defineCatalog([plain, gated, keyed, coded]);
const contracts = new Map<string, JobContract>(catalog.map((contract) => [contract.type, contract]));

const database = useTestDatabase();
beforeEach(async () => {
  await database.db
    .$executeRaw`TRUNCATE duework.job_runs, duework.job_keys, duework.flow_waits, duework.flow_looks, duework.flow_rules`;
  await registerDefinitions(database.db, catalog);
});

const claim = async (): Promise<ClaimedRun[]> =>
  (await claimRuns(database.db, { queue: 'default', contracts, worker: 'w', limit: 100 })).runs;
/** As a worker does once there is room. */
const letIn = () => database.db.$executeRaw`UPDATE duework.job_runs SET held_by = NULL`;
const runs = () => database.db.jobRun.findMany({ orderBy: { id: 'asc' } });
interface Waiting {
  readonly key: string;
  readonly run: string | null;
}
const waits = () => database.db.$queryRaw<Waiting[]>`
  SELECT key, run_id::text AS run FROM duework.flow_waits ORDER BY key, priority, ready_at, run_id`;
const looks = () => database.db.$queryRaw<(Waiting & { isDue: boolean })[]>`
  SELECT key, run_id::text AS run, at <= now() AS "isDue" FROM duework.flow_looks ORDER BY key, run_id`;

const GATES = ['order/gated.account/7', 'limit/all', 'rate/pages'];

describe('a run that has gates', () => {
  test('is written held at the first, in its line, with a look at each, and no claim sees it', async () => {
    const { id } = await enqueue(database.db, gated, { account: 7 });
    expect(await runs()).toMatchObject([{ status: 'queued', heldBy: GATES[0], gates: GATES, gateUnits: [1, 1, 5] }]);
    expect(await waits()).toEqual([{ key: GATES[0], run: id }]);
    expect(await looks()).toEqual(GATES.toSorted().map((key) => ({ key, run: null, isDue: true })));
    expect(await claim()).toEqual([]);
    expect(await hasWork(database.db, { worker: 'w', queues: ['default'], contracts })).toBe(false);
  });

  test('that is due later is no one who waits: there is a look at it when it is due', async () => {
    const { id } = await enqueue(database.db, gated, { account: 7 }, { delay: '1h' });
    expect(await runs()).toMatchObject([{ heldBy: GATES[0] }]);
    expect(await waits()).toEqual([]);
    expect(await looks()).toEqual([{ key: GATES[0], run: id, isDue: false }]);
  });

  test('is written by SQL as by TypeScript', async () => {
    await enqueue(database.db, gated, { account: 7 });
    await database.db.$queryRaw`SELECT duework.enqueue('gated', '{"account": 7.0}')::text`;
    const [one, other] = await runs();
    const told = ({ heldBy, gates, gateUnits, terms, priority }: typeof one & object) => ({
      heldBy,
      gates,
      gateUnits,
      terms,
      priority,
    });
    expect(told(other!)).toEqual(told(one!));
    expect(await waits()).toHaveLength(2);
  });

  test('that its contract tells by code is refused in SQL, and written by TypeScript', async () => {
    await enqueue(database.db, coded, { account: 7 });
    expect(await waits()).toMatchObject([{ key: 'order/code/1' }]);
    await expect(database.db.$queryRaw`SELECT duework.enqueue('coded', '{"account": 7}')::text`).rejects.toThrow(
      /22W10/,
    );
  });

  test('is written in a batch, beside others that have none: a look for each key', async () => {
    const requests = [1, 2, 1].map((account) => jobRequest(gated, { account }));
    const written = await enqueueMany(database.db, [...requests, jobRequest(plain, { account: 1 })]);
    expect((await runs()).map(({ heldBy }) => heldBy)).toEqual([
      'order/gated.account/1',
      'order/gated.account/2',
      'order/gated.account/1',
      null,
    ]);
    expect(await waits()).toEqual([
      { key: 'order/gated.account/1', run: written[0]!.id },
      { key: 'order/gated.account/1', run: written[2]!.id },
      { key: 'order/gated.account/2', run: written[1]!.id },
    ]);
    expect((await looks()).map(({ key }) => key)).toEqual([
      'limit/all',
      'order/gated.account/1',
      'order/gated.account/2',
      'rate/pages',
    ]);
    expect(await claim()).toMatchObject([{ type: 'plain', gates: null, terms: null }]);
  });

  test('whose key is taken leaves nothing, alone and in a batch', async () => {
    const { id } = await enqueue(database.db, keyed, { account: 1 });
    expect(await enqueue(database.db, keyed, { account: 1 })).toMatchObject({ id, isDeduplicated: true });
    const many = await enqueueMany(
      database.db,
      [1, 2, 2].map((account) => jobRequest(keyed, { account })),
    );
    expect(many.map(({ isDeduplicated }) => isDeduplicated)).toEqual([true, false, true]);
    expect((await waits()).map(({ run }) => run)).toEqual([id, many[1]!.id]);
  });

  test('makes nobody wait who enqueues for the same key, and is gone with a transaction that rolls back', async () => {
    const rolledBack = database.db.$transaction(async (tx) => {
      await enqueue(tx, gated, { account: 7 });
      await enqueue(database.db, gated, { account: 7 });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await waits()).toHaveLength(1);
    expect(await looks()).toHaveLength(GATES.length);
  });

  test('is told to its worker with its gates once it is let in, and its history keeps them', async () => {
    await enqueue(database.db, gated, { account: 7 }, { meta: { trace: 'a' } });
    await database.db.$executeRaw`UPDATE duework.job_runs SET terms = '{"retryUntil": "2100-01-01T00:00:00Z"}'`;
    await letIn();
    const [run] = await claim();
    expect(run).toMatchObject({
      gates: GATES,
      terms: { retryUntil: '2100-01-01T00:00:00Z' },
      meta: { trace: 'a' },
      payload: { account: 7 },
    });
    await completeRuns(database.db, [{ id: run!.id, fence: run!.fence, result: null }]);
    expect(await database.db.jobHistory.findMany()).toMatchObject([
      { status: 'succeeded', gates: GATES, gateUnits: [1, 1, 5], terms: { retryUntil: '2100-01-01T00:00:00Z' } },
    ]);
  });

  test('comes back held when somebody retries it after its end', async () => {
    await enqueue(database.db, gated, { account: 7 });
    await letIn();
    const [run] = await claim();
    const error = { code: 'no', error_type: 'E', message: 'no', stack: null, abort_code: null, abort_stage: null };
    await buryRuns(database.db, [{ id: run!.id, fence: run!.fence, ...error }]);
    await retryJob(database.db, run!.id);
    expect(await runs()).toMatchObject([{ heldBy: GATES[0], gates: GATES, gateUnits: [1, 1, 5] }]);
    expect(await claim()).toEqual([]);
  });

  test('is never held and running at once', async () => {
    await enqueue(database.db, gated, { account: 7 });
    await letIn();
    await claim();
    await expect(database.db.$executeRaw`UPDATE duework.job_runs SET held_by = 'limit/all'`).rejects.toThrow(
      /job_runs_state_check/,
    );
  });
});

describe('the rules that contracts declare', () => {
  const rules = () => database.db.$queryRaw<{ name: string; declared: unknown; changed: unknown }[]>`
    SELECT name, declared, changed FROM duework.flow_rules ORDER BY name`;
  const limit = (type: string, max: number) => defineJob({ type, payload, limits: [{ name: 'smtp', max }] });

  test('are written when their definitions are', async () => {
    expect(await rules()).toEqual([
      { name: 'limit/all', declared: { max: 5 }, changed: null },
      { name: 'limit/keyed', declared: { max: 1 }, changed: null },
      { name: 'order/code', declared: { onFailure: 'wait', onDead: 'let_go' }, changed: null },
      { name: 'order/gated.account', declared: { onFailure: 'wait', onDead: 'let_go' }, changed: null },
      { name: 'rate/pages', declared: { max: 100, perMs: 1_000, burst: 10 }, changed: null },
    ]);
  });

  test('count as the strictest type declares them, follow a deploy, and are forgotten with the last that does', async () => {
    const declared = async () => (await rules()).find(({ name }) => name === 'limit/smtp')?.declared;
    await registerDefinitions(database.db, [limit('one', 5)]);
    await registerDefinitions(database.db, [limit('two', 9)]);
    expect(await declared()).toEqual({ max: 5 });
    await registerDefinitions(database.db, [limit('one', 7)]);
    expect(await declared()).toEqual({ max: 7 });
    await registerDefinitions(
      database.db,
      ['one', 'two'].map((type) => defineJob({ type, payload })),
    );
    expect(await declared()).toBeUndefined();
  });

  test('keep what an operator has changed, whatever is deployed', async () => {
    await registerDefinitions(database.db, [limit('one', 5)]);
    await database.db
      .$executeRaw`UPDATE duework.flow_rules SET changed = '{"max": 2}', changed_at = now() WHERE name = 'limit/smtp'`;
    await registerDefinitions(database.db, [limit('one', 50)]);
    await registerDefinitions(database.db, [defineJob({ type: 'one', payload })]);
    expect(await rules()).toContainEqual({ name: 'limit/smtp', declared: { max: 50 }, changed: { max: 2 } });
  });
});
