import { readFileSync } from 'node:fs';
import { defineCatalog, defineJob, defineSignal, type UniqueOptions } from '@duework/contracts';
import { Prisma, type PrismaClient } from '@duework/database';
import { closeKey, pauseQueue, resumeQueue } from '@duework/operate';
import {
  acknowledgeJob,
  addToBatch,
  cancelBatch,
  cancelJob,
  classifyError,
  createPostgresStore,
  enqueue,
  enqueueBatch,
  enqueueMany,
  type EnqueuedJob,
  freeKey,
  getBatch,
  jobRequest,
  type Queryable,
  registerDefinitions,
  retryJob,
  signal,
  updateJob,
} from '@duework/queue-core';
import { deleteSchedule, pauseSchedule, saveSchedule, triggerSchedule } from '@duework/schedules';
import { forward } from '@duework/shards';
import { claim, useTestDatabase } from '@duework/testing/fixtures';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';

/**
 * Each verb in the caller's transaction, of each isolation level, whose snapshot is older than what another connection
 * commits: the table of docs/how-to/transactions.md, of which each cell is a test.
 */
const database = useTestDatabase();
const LEVELS = ['ReadCommitted', 'RepeatableRead', 'Serializable'] as const;
type Level = (typeof LEVELS)[number];
const payload = z.object({ n: z.int() });
const echo = defineJob({ type: 'echo', payload });
const gated = defineJob({
  ...{ type: 'echo', payload, order: 'n', tenant: 'n' },
  limits: [{ by: 'n', max: 1 }],
  rate: { max: 1, per: '1h' },
});
const limited = defineJob({ type: 'limited', payload, limits: [{ name: 'smtp', max: 1 }] });
const paid = defineSignal({ name: 'paid', by: ['n'], payload });
const catalog = defineCatalog([echo, limited]);
const one = (unique: UniqueOptions<{ n: number }>) =>
  defineJob({ type: 'echo', payload, unique: { by: () => 'one', ...unique } });
const hourly = (n: number) => ({ key: 'hourly', every: '1h' as const, payload: { n } });
const batch = (count: number) => ({ jobs: Array.from({ length: count }, (_, n) => jobRequest(echo, { n })) });
const key = { idempotencyKey: 'event' };
const told = ({ isDeduplicated }: EnqueuedJob): string => (isDeduplicated ? 'there' : 'new');

const { sql } = Prisma;
const run = (statement: Prisma.Sql) => database.db.$executeRaw(statement);
const alive = async (): Promise<number> => database.db.jobRun.count();
/** Ends the run that a worker has claimed. */
const end = (status: 'succeeded' | 'dead') =>
  run(sql`WITH r AS (DELETE FROM duework.job_runs WHERE status = 'running' RETURNING *)
    INSERT INTO duework.job_history (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key, attempts,
      max_attempts, fence, worker, claimed_at, created_at, terms, finished_at, status, failed_at, error_code, last_error)
    SELECT id, queue, job_type, job_version, priority, run_at, payload, idempotency_key, attempts, max_attempts, fence,
      locked_by, claimed_at, created_at, terms, now(), ${status}::text, now(), 'no', 'no' FROM r`);
const die = async (id: string): Promise<string> => {
  await claim(database.db, 1);
  await end('dead');
  return id;
};
const waitFor = (id: string, awaited: string) =>
  run(sql`SELECT FROM duework.job_runs AS r, duework.begin_waits(jsonb_build_array(jsonb_build_object('id', r.id,
    'fence', r.fence, 'name', 'wait', 'asked', 1, 'awaits', 'job', 'awaited', ${awaited}::text))) WHERE r.id = ${id}::text::bigint`);

interface Case {
  readonly verb: string;
  readonly meanwhile: string;
  /** What it does at READ COMMITTED, also where it is tried again; and above that: an SQLSTATE, a code, or the same. */
  readonly does: string;
  readonly above: string;
  before?(): Promise<unknown>;
  other?(before: never): Promise<unknown>;
  act(tx: Queryable, before: never): Promise<unknown>;
  /** How many runs are alive in the end. */
  readonly alive?: number;
}
const row = <T>(
  verb: string,
  meanwhile: string,
  does: string,
  above: string,
  rest: {
    before?: () => Promise<T>;
    other?: (before: T) => Promise<unknown>;
    act: (tx: Queryable, before: T) => Promise<unknown>;
    alive?: number;
  },
): Case => ({ verb, meanwhile, does, above, ...rest }) as Case;
const first = (options = {}) => enqueue(database.db, echo, { n: 0 }, options);
const firstId = async (options = {}): Promise<string> => (await first(options)).id;
const AGAIN = '`40001`';
const store = () => createPostgresStore({ db: database.db });
const claimed = async () => {
  await first();
  const [run] = await claim(database.db, 1);
  return run!;
};
const takeOver = () => run(sql`UPDATE duework.job_runs SET fence = fence + 1, locked_by = 'other'`);
const stepOf = ({ id, fence }: { id: string; fence: number }) =>
  ({ id, fence, name: 'pay', status: 'done', askedSeq: 1, doneSeq: 1, open: [], result: null, error: null }) as const;

const uniques = (['keep', 'replace', 'earliest', 'refuse', 'cancel_running', 'once_more'] as const).map(
  (onConflict) => {
    const contract = one({ onConflict, ...(onConflict === 'once_more' ? { per: '1h' as const } : {}) });
    const isNew = onConflict === 'cancel_running' || onConflict === 'once_more';
    const does = onConflict === 'refuse' ? '`job_exists`' : isNew ? 'new' : 'there';
    return row(`enqueue, unique, \`${onConflict}\``, 'one is enqueued', does, AGAIN, {
      other: () => enqueue(database.db, contract, { n: 0 }),
      act: async (tx) => told(await enqueue(tx, contract, { n: 1 })),
      alive: onConflict === 'once_more' ? 2 : 1,
    });
  },
);

const CASES: readonly Case[] = [
  row('enqueue', 'a job is enqueued', 'new', 'new', {
    other: () => first(),
    act: async (tx) => told(await enqueue(tx, echo, { n: 1 })),
    alive: 2,
  }),
  row('enqueue, idempotency key', 'the key is taken', 'there', AGAIN, {
    other: () => first(key),
    act: async (tx) => told(await enqueue(tx, echo, { n: 1 }, key)),
    alive: 1,
  }),
  row('enqueueMany, idempotency keys', 'a key is taken', 'there', AGAIN, {
    other: () => first(key),
    act: async (tx) => told((await enqueueMany(tx, [jobRequest(echo, { n: 1 }, key), jobRequest(echo, { n: 2 })]))[0]!),
    alive: 2,
  }),
  ...uniques,
  row('enqueue, unique, `replace`', 'the one that waits is claimed', 'new', AGAIN, {
    before: () => enqueue(database.db, one({ onConflict: 'replace' }), { n: 0 }),
    other: () => claim(database.db, 1),
    act: async (tx) => told(await enqueue(tx, one({ onConflict: 'replace' }), { n: 1 })),
    alive: 2,
  }),
  row('enqueue, unique, `keep`', 'the one that runs ends', 'new', AGAIN, {
    before: async () => {
      await enqueue(database.db, one({}), { n: 0 });
      await claim(database.db, 1);
    },
    other: () => end('succeeded'),
    act: async (tx) => told(await enqueue(tx, one({}), { n: 1 })),
    alive: 1,
  }),
  row('enqueue behind gates', 'one is enqueued behind the same', 'new', 'new', {
    other: () => enqueue(database.db, gated, { n: 0 }),
    act: async (tx) => told(await enqueue(tx, gated, { n: 0 })),
    alive: 2,
  }),
  row('forward, idempotency key', 'one with the key is written', 'new', 'new', {
    other: () => forward(database.db, 'b', echo, { n: 1 }, key),
    act: async (tx) => told(await forward(tx, 'b', echo, { n: 1 }, key)),
    alive: 2,
  }),
  row('`completeIn`', 'its lease passes to another worker', '`lease_lost`', AGAIN, {
    before: claimed,
    other: takeOver,
    act: async (tx, { id, fence }) =>
      (await store().completeIn(tx, { id, fence, result: null })) ? 'completed' : '`lease_lost`',
    alive: 1,
  }),
  row('`step.in`', 'another attempt takes the step', 'kept', AGAIN, {
    before: claimed,
    other: (run) => store().writeSteps([stepOf(run)]),
    act: (tx, run) => store().writeStepIn(tx, stepOf(run)),
    alive: 1,
  }),
  row('signal', 'a run begins to wait for it', 'sent', '`isolation_too_high`', {
    act: async (tx) => ((await signal(tx, paid, { n: 0 })) ? 'awaited' : 'sent'),
  }),
  row('enqueueBatch', 'another batch is enqueued', 'new', 'new', {
    other: () => enqueueBatch(database.db, batch(1)),
    act: async (tx) => told((await enqueueBatch(tx, batch(1))).jobs[0]!),
    alive: 2,
  }),
  row('addToBatch', 'it has ended', '`batch_settled`', AGAIN, {
    before: async () => (await enqueueBatch(database.db, batch(1))).id,
    other: async (id) => {
      await claim(database.db, 1);
      await end('succeeded');
      await run(sql`SELECT duework.add_up_batches(ARRAY[${id}::text])`);
      if ((await getBatch(database.db, id)).settledAt === null) throw new Error('The batch has not settled.');
    },
    act: (tx, id) => addToBatch(tx, id, batch(1).jobs),
    alive: 0,
  }),
  row('cancelBatch', 'a job of it is claimed', 'requested', AGAIN, {
    before: async () => (await enqueueBatch(database.db, batch(1))).id,
    other: () => claim(database.db, 1),
    act: async (tx, id) => ((await cancelBatch(tx, id)).requested === 1 ? 'requested' : 'none'),
    alive: 1,
  }),
  row('cancelJob', 'it is claimed', 'requested', AGAIN, {
    before: firstId,
    other: () => claim(database.db, 1),
    act: (tx, id) => cancelJob(tx, id),
    alive: 1,
  }),
  row('cancelJob', 'a run begins to wait for it', 'cancelled', AGAIN, {
    before: async () => {
      const waiting = [await firstId(), await firstId()];
      await claim(database.db, 2);
      const id = await firstId();
      await waitFor(waiting[0]!, id);
      return { id, waiting };
    },
    other: ({ id, waiting }) => waitFor(waiting[1]!, id),
    act: async (tx, { id }) => {
      const answer = await cancelJob(tx, id);
      const left = await (tx as PrismaClient).jobStep.count({ where: { status: 'waiting', awaited: id } });
      return left === 0 ? answer : `${answer}, and ${left} wait for ever`;
    },
  }),
  row('updateJob', 'it is claimed', '`job_is_running`', AGAIN, {
    before: firstId,
    other: () => claim(database.db, 1),
    act: (tx, id) => updateJob(tx, id, { priority: 1 }),
  }),
  row('retryJob', 'it is retried', 'retried', AGAIN, {
    before: async () => die(await firstId()),
    other: (id) => retryJob(database.db, id),
    act: async (tx, id) => (await retryJob(tx, id), 'retried'),
    alive: 1,
  }),
  row('acknowledgeJob', 'it is retried', '`transition_not_allowed`', AGAIN, {
    before: async () => die(await firstId()),
    other: (id) => retryJob(database.db, id),
    act: async (tx, id) => (await acknowledgeJob(tx, id), 'acknowledged'),
  }),
  row('freeKey', 'the job is retried', '`transition_not_allowed`', AGAIN, {
    before: async () => die(await firstId(key)),
    other: (id) => retryJob(database.db, id),
    act: async (tx, id) => ((await freeKey(tx, id)) ? 'freed' : 'free'),
  }),
  row('pauseQueue', 'it is paused', 'paused', AGAIN, {
    other: () => pauseQueue(database.db, 'default', { reason: 'theirs' }),
    act: async (tx) => (await pauseQueue(tx, 'default', { reason: 'ours' }), 'paused'),
  }),
  row('resumeQueue', 'it is paused again', 'resumed', AGAIN, {
    before: () => pauseQueue(database.db, 'default'),
    other: () => pauseQueue(database.db, 'default', { reason: 'theirs' }),
    act: async (tx) => ((await resumeQueue(tx, 'default')) === null ? 'not paused' : 'resumed'),
  }),
  row('closeKey', 'it is closed', 'closed', AGAIN, {
    other: () => closeKey(database.db, 'limit/smtp', '1h'),
    act: async (tx) => (await closeKey(tx, 'limit/smtp', '1m'), 'closed'),
  }),
  row('saveSchedule', 'it is saved', 'saved', AGAIN, {
    other: () => saveSchedule(database.db, echo, hourly(1)),
    act: async (tx) => (await saveSchedule(tx, echo, hourly(2)), 'saved'),
  }),
  row('pauseSchedule', 'it is saved', 'paused', AGAIN, {
    before: () => saveSchedule(database.db, echo, hourly(1)),
    other: () => saveSchedule(database.db, echo, hourly(2)),
    act: async (tx) => (await pauseSchedule(tx, 'hourly'), 'paused'),
  }),
  row('deleteSchedule', 'it is saved', 'deleted', AGAIN, {
    before: () => saveSchedule(database.db, echo, hourly(1)),
    other: () => saveSchedule(database.db, echo, hourly(2)),
    act: async (tx) => (await deleteSchedule(tx, 'hourly'), 'deleted'),
  }),
  row('triggerSchedule', 'it is saved', 'new', AGAIN, {
    before: () => saveSchedule(database.db, echo, hourly(1)),
    other: () => saveSchedule(database.db, echo, hourly(2)),
    act: async (tx) => told(await triggerSchedule(tx as never, catalog, 'hourly')),
    alive: 1,
  }),
];

beforeAll(() => registerDefinitions(database.db, catalog));
beforeEach(() =>
  run(sql`TRUNCATE duework.job_runs, duework.job_keys, duework.job_history, duework.job_steps, duework.job_batches,
    duework.job_batch_jobs, duework.job_batch_changes, duework.flow_keys, duework.flow_waits, duework.flow_looks,
    duework.schedules, duework.pauses`),
);

// one for all tests: a client costs a third of a second of a processor
let caller: PrismaClient;
beforeAll(() => {
  caller = database.connect({ poolSize: 1 });
});

/** What a verb does in a transaction that has looked at the database before the other side committed. */
const meet = async ({ act, other }: Case, before: never, level: Level): Promise<unknown> =>
  caller
    .$transaction(
      async (tx) => {
        await tx.jobRun.count();
        await other?.(before);
        return act(tx, before);
      },
      { isolationLevel: level },
    )
    .catch((error: unknown) => `\`${classifyError(error).record.code}\``);

const cells = LEVELS.flatMap((level) =>
  CASES.map((one) => [one.verb, one.meanwhile, level, level === 'ReadCommitted' ? one.does : one.above, one] as const),
);
test.each(cells)('%s while %s, at %s: %s', async (_verb, _meanwhile, level, expected, one) => {
  const before = (await one.before?.()) as never;
  expect(await meet(one, before, level)).toBe(expected);
  // whoever tries again, is told what a transaction at READ COMMITTED was told
  if (expected === AGAIN) expect(await meet({ ...one, other: undefined } as never, before, level)).toBe(one.does);
  if (one.alive !== undefined) expect(await alive()).toBe(one.alive);
});

test('the table in the docs says what was tried here', () => {
  const page = readFileSync(new URL('../../../docs/how-to/transactions.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.split('|').length === 6);
  const told = rows.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, 5)
      .map((cell) => cell.trim()),
  );
  expect(told).toEqual(CASES.map(({ verb, meanwhile, does, above }) => [verb, meanwhile, does, above]));
});
