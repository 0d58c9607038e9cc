import { defineCatalog, defineJob, type UniqueOptions } from '@duework/contracts';
import { claim, emptyTables, untilItWaits, useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../../enqueue/enqueue.js';
import { cancelJob, getJob } from '../../queue/operate.js';
import { completeRuns } from '../settle/complete-runs.js';
import { failRuns } from '../settle/fail-runs.js';
import { registerDefinitions } from '../registry/register-definitions.js';

const database = useTestDatabase();
beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, job_keys, job_history');
});

const payload = z.object({ n: z.int() });
/** A contract of which the fixtures' worker can claim runs, with one key for all. */
const one = (unique: UniqueOptions<z.output<typeof payload>>) =>
  defineJob({ type: 'echo', payload, unique: { by: () => 'one', ...unique } });
const connect = () => database.connect({ poolSize: 1 });
const alive = () => database.db.jobRun.findMany({ orderBy: { id: 'asc' } });
const MODES: readonly UniqueOptions<z.output<typeof payload>>[] = [
  { onConflict: 'keep' },
  { onConflict: 'replace' },
  { onConflict: 'earliest' },
  { onConflict: 'cancel_running' },
];
const THROTTLE: UniqueOptions<z.output<typeof payload>> = { onConflict: 'once_more', per: '1h' };

describe('two producers of one key at once', () => {
  test.each(MODES)('leave one that waits: %j', async (unique) => {
    const [left, right] = [connect(), connect()];
    const contract = one(unique);
    for (let n = 0; n < 30; n++) {
      await emptyTables(database.db, 'job_runs, job_keys');
      const jobs = await Promise.all([left, right].map((db, index) => enqueue(db, contract, { n: index })));
      const runs = await alive();
      expect(runs).toHaveLength(1);
      // whoever came second has the answer of what it left
      expect(jobs.some(({ id }) => id === String(runs[0]!.id))).toBe(true);
      const [key] = await database.db.$queryRaw<{ run_id: bigint }[]>`SELECT run_id FROM duework.job_keys`;
      expect(key!.run_id).toBe(runs[0]!.id);
    }
  });

  test('leave the first, due now, and one more, due when its time is over, with the payload of the other', async () => {
    const [left, right] = [connect(), connect()];
    for (let n = 0; n < 30; n++) {
      await emptyTables(database.db, 'job_runs, job_keys');
      const jobs = await Promise.all([left, right].map((db, index) => enqueue(db, one(THROTTLE), { n: index })));
      const [first, more] = (await alive()).toSorted((a, b) => a.runAt.getTime() - b.runAt.getTime());
      expect(jobs.map(({ id }) => BigInt(id)).toSorted()).toEqual([first!.id, more!.id].toSorted());
      expect(more!.runAt.getTime() - first!.runAt.getTime()).toBe(3_600_000);
      expect([first, more].map((run) => (run!.payload as { n: number }).n).toSorted()).toEqual([0, 1]);
    }
  });

  test('refuse: one of them writes, and the other is refused with its id; its transaction can go on', async () => {
    const contract = one({ onConflict: 'refuse' });
    const other = connect();
    let firstId = '';
    const second = await database.db.$transaction(async (tx) => {
      firstId = (await enqueue(tx, contract, { n: 1 })).id;
      return untilItWaits(database.db, other, (db) =>
        db.$transaction(async (inside) => {
          const refused = await enqueue(inside, contract, { n: 2 }).catch((error: unknown) => error);
          const plain = await enqueue(inside, defineJob({ type: 'echo', payload }), { n: 3 });
          return { refused, plain };
        }),
      );
    });
    expect(second.isWaiting).toBe(true);
    expect((await second.answer).refused).toMatchObject({ code: 'job_exists', facts: { id: firstId } });
    expect((await alive()).map((run) => run.payload)).toEqual([{ n: 1 }, { n: 3 }]);
  });

  test('a second producer waits for the first one’s transaction, and has the key where that is rolled back', async () => {
    const contract = one({ onConflict: 'replace' });
    const other = connect();
    let begun: Awaited<ReturnType<typeof untilItWaits<{ isDeduplicated: boolean }>>> | undefined;
    const first = database.db.$transaction(async (tx) => {
      await enqueue(tx, contract, { n: 1 });
      begun = await untilItWaits(database.db, other, (db) => enqueue(db, contract, { n: 2 }));
      throw new Error('rolled back');
    });
    await expect(first).rejects.toThrow('rolled back');
    expect(begun!.isWaiting).toBe(true);
    expect(await begun!.answer).toMatchObject({ isDeduplicated: false });
    expect(await alive()).toMatchObject([{ payload: { n: 2 } }]);
  });
});

describe('a producer and a claim at once', () => {
  test('replace: a claim passes by the run that is being replaced, and takes the last payload', async () => {
    const contract = one({ onConflict: 'replace' });
    const { id } = await enqueue(database.db, contract, { n: 1 });
    await database.db.$transaction(async (tx) => {
      expect(await enqueue(tx, contract, { n: 2 })).toMatchObject({ id });
      expect(await claim(database.db, 1)).toEqual([]);
    });
    expect(await claim(database.db, 1)).toMatchObject([{ id, payload: { n: 2 } }]);
  });

  test('replace: the payload comes as a run of its own where the claim was first', async () => {
    const contract = one({ onConflict: 'replace' });
    const { id } = await enqueue(database.db, contract, { n: 1 });
    const other = connect();
    const begun = await database.db.$transaction(async (tx) => {
      expect(await claim(tx, 1)).toMatchObject([{ id, payload: { n: 1 } }]);
      return untilItWaits(database.db, other, (db) => enqueue(db, contract, { n: 2 }));
    });
    expect(begun.isWaiting).toBe(true);
    expect(await begun.answer).toMatchObject({ isDeduplicated: false });
    expect(await claim(database.db, 10)).toMatchObject([{ payload: { n: 2 } }]);
  });

  test.each([...MODES.slice(1), THROTTLE])('no payload is lost, and none runs twice: %j', async (unique) => {
    const [producer, worker] = [connect(), connect()];
    const contract = one(unique);
    const seen: number[] = [];
    for (let n = 0; n < 40; n++) {
      const [, runs] = await Promise.all([enqueue(producer, contract, { n }), claim(worker, 10)]);
      seen.push(...runs.map((run) => (run.payload as { n: number }).n));
      await completeRuns(
        worker,
        runs.map(({ id, fence }) => ({ id, fence, result: null })),
      );
    }
    await database.db.$executeRaw`UPDATE duework.job_runs SET run_at = now() WHERE status = 'queued'`;
    seen.push(...(await claim(worker, 10)).map((run) => (run.payload as { n: number }).n));
    expect(new Set(seen).size).toBe(seen.length);
    // the earliest keeps the first payload; the others end with the last
    if (unique.onConflict !== 'earliest') expect(Math.max(...seen)).toBe(39);
  });
});

describe('a producer and a settlement at once', () => {
  test('while it lives: the run that has just ended is no holder any more', async () => {
    const contract = one({ while: 'alive' });
    const [producer, worker] = [connect(), connect()];
    for (let n = 0; n < 30; n++) {
      const first = await enqueue(database.db, contract, { n });
      const [run] = await claim(database.db, 1);
      const [second] = await Promise.all([
        enqueue(producer, contract, { n: n + 1_000 }),
        completeRuns(worker, [{ id: run!.id, fence: run!.fence, result: null }]),
      ]);
      const waiting = await alive();
      // either it was told of the run that still ran, or it has one of its own
      expect(waiting).toHaveLength(second.id === first.id ? 0 : 1);
      expect(second.isDeduplicated).toBe(second.id === first.id);
      if (!second.isDeduplicated) await cancelJob(database.db, second.id);
    }
  });

  test('the producer does not make the settlement of a running job wait', async () => {
    const contract = one({ while: 'alive' });
    await enqueue(database.db, contract, { n: 1 });
    const [run] = await claim(database.db, 1);
    const settlement = await database.db.$transaction(async (tx) => {
      expect(await enqueue(tx, contract, { n: 2 })).toMatchObject({ status: 'running', isDeduplicated: true });
      return untilItWaits(database.db, connect(), (db) =>
        completeRuns(db, [{ id: run!.id, fence: run!.fence, result: null }]),
      );
    });
    expect(settlement.isWaiting).toBe(false);
  });

  test('replace: a failed attempt that goes back to wait meanwhile is replaced, or has one beside it', async () => {
    const contract = one({ onConflict: 'replace' });
    const { id } = await enqueue(database.db, contract, { n: 1 });
    const [run] = await claim(database.db, 1);
    const error = { code: 'x', error_type: 'X', message: 'x', stack: null, abort_code: null, abort_stage: null };
    const other = connect();
    const begun = await database.db.$transaction(async (tx) => {
      await failRuns(tx, [{ id, fence: run!.fence, ...error, delay_ms: 3_600_000 }]);
      return untilItWaits(database.db, other, (db) => enqueue(db, contract, { n: 2 }));
    });
    const job = await begun.answer;
    expect((await getJob(database.db, job.id)).job.payload).toEqual({ n: 2 });
  });
});

test('SQL enqueues by the rule of the contract, with the key that it gives', async () => {
  const contract = defineJob({ type: 'tidy', payload, unique: { onConflict: 'replace' } });
  await registerDefinitions(database.db, defineCatalog([contract]));
  const give = (n: number) => database.db.$queryRaw<{ id: bigint; is_deduplicated: boolean }[]>`
    SELECT * FROM duework.enqueue('tidy', jsonb_build_object('n', ${n}::integer), 'one')`;
  const [first] = await give(1);
  const [second] = await give(2);
  expect(first).toMatchObject({ is_deduplicated: false });
  expect(second).toMatchObject({ id: first!.id, is_deduplicated: true });
  expect(await alive()).toMatchObject([{ payload: { n: 2 } }]);
});
