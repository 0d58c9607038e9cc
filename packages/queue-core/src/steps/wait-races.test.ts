import { defineJob, defineSignal } from '@duework/contracts';
import { emptyTables, untilItWaits, useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Queryable } from '@duework/sql';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { signal } from '../enqueue/signal.js';
import type { NewWait } from '../ports/steps.js';
import { claimRuns } from '../sql/claim/claim-runs.js';
import { completeRuns } from '../sql/settle/complete-runs.js';
import { snoozeRuns } from '../sql/settle/snooze-runs.js';
import { beginWaits } from '../sql/steps/begin-waits.js';

const database = useTestDatabase();
const order = defineJob({ type: 'order', payload: z.object({ n: z.int() }), durable: true });
const paid = defineSignal({ name: 'paid', by: ['n'], payload: z.object({ n: z.int() }) });
const contracts = new Map([['order', { ...order, leaseMs: 60_000 }]]);
interface Claim {
  readonly id: string;
  readonly fence: number;
}
let n = 0;
beforeEach(async () => {
  n++;
  await emptyTables(database.db, 'job_runs, job_steps');
});

/** So many runs that a worker has. */
async function claim(count: number): Promise<Claim[]> {
  for (let made = 0; made < count; made++) await enqueue(database.db, order, { n });
  const { runs } = await claimRuns(database.db, { queue: 'default', contracts, worker: 'w', limit: count });
  return runs.map(({ id, fence }) => ({ id, fence }));
}
const begin = async (db: Queryable, { id, fence }: Claim, awaits: 'signal' | 'job', awaited: string) => {
  const wait: NewWait = { id, fence, name: 'wait', askedSeq: 1, afterMs: null, until: null, awaits, awaited };
  return (await beginWaits(db, [wait]))[0];
};
/** The attempt ends, and its run waits for a century, or until what it waits for has come. */
const suspend = (db: Queryable, { id, fence }: Claim) =>
  snoozeRuns(db, [{ id, fence, delay_ms: 0, max_snoozes: 10, wakes_at: '2126-11-25T00:00:00.000Z' }]);
const pay = (db: Queryable) => signal(db, paid, { n });
const complete = (db: Queryable, run: Claim) => completeRuns(db, [{ ...run, result: null }]);
/** Does one thing, and the other one before the first is committed; whether the second one waits for that. */
const race = async (first: (db: Queryable) => Promise<unknown>, second: (db: Queryable) => Promise<unknown>) => {
  const begun = await database.connect().$transaction(async (tx) => {
    await first(tx);
    return untilItWaits(database.db, database.connect({ poolSize: 1 }), second);
  });
  return { isWaiting: begun.isWaiting, answer: await begun.answer };
};
/** Which runs are due, and which steps a wait still has. */
const look = async () => ({
  due: await database.db.jobRun.count({ where: { status: 'queued', runAt: { lte: new Date() } } }),
  waiting: await database.db.jobStep.count({ where: { status: 'waiting' } }),
});

describe('a run that goes to wait, and what it waits for, in transactions that overlap', () => {
  test('is made due by a signal that is sent while its wait is about to be settled', async () => {
    const [run] = await claim(1);
    await begin(database.db, run!, 'signal', `paid ${n}`);
    const { answer } = await race(
      (tx) => suspend(tx, run!),
      (db) => pay(db),
    );
    expect(answer).toBe(true);
    expect(await look()).toEqual({ due: 1, waiting: 0 });
  });

  test('is due at once where a signal that is about to be sent comes before its settlement', async () => {
    const [run] = await claim(1);
    await begin(database.db, run!, 'signal', `paid ${n}`);
    await race(
      (tx) => pay(tx),
      (db) => suspend(db, run!),
    );
    expect(await look()).toEqual({ due: 1, waiting: 0 });
  });

  test('does not begin to wait while the signal is about to be sent, and then finds it', async () => {
    const [run] = await claim(1);
    const { isWaiting, answer } = await race(pay, (db) => begin(db, run!, 'signal', `paid ${n}`));
    expect({ isWaiting, answer }).toEqual({ isWaiting: false, answer: { kind: 'busy' } });
    expect(await begin(database.db, run!, 'signal', `paid ${n}`)).toEqual({ kind: 'done' });
  });

  test('is found by a signal that comes while it begins to wait', async () => {
    const [run] = await claim(1);
    const { answer } = await race((tx) => begin(tx, run!, 'signal', `paid ${n}`), pay);
    expect(answer).toBe(true);
    expect(await look()).toEqual({ due: 0, waiting: 0 });
  });

  test('finds the end of a job that is about to end while it begins to wait for that', async () => {
    const [run, other] = await claim(2);
    const { answer } = await race(
      (tx) => complete(tx, other!),
      (db) => begin(db, run!, 'job', other!.id),
    );
    expect(answer).toEqual({ kind: 'done' });
  });

  test('finds that end, too, where another run waits for that job already', async () => {
    const [run, other, before] = await claim(3);
    await begin(database.db, before!, 'job', other!.id);
    const { answer } = await race(
      (tx) => complete(tx, other!),
      (db) => begin(db, run!, 'job', other!.id),
    );
    expect(answer).toEqual({ kind: 'done' });
    expect(await look()).toEqual({ due: 0, waiting: 0 });
  });

  test('is told of the end of a job that ends while it begins to wait for that', async () => {
    const [run, other] = await claim(2);
    await race(
      (tx) => begin(tx, run!, 'job', other!.id),
      (db) => complete(db, other!),
    );
    expect(await look()).toEqual({ due: 0, waiting: 0 });
  });

  test('is made due once by two of its jobs that end at the same moment', async () => {
    const [run, one, other] = await claim(3);
    const wait = { ...run!, askedSeq: 1, afterMs: null, until: null, awaits: 'job' } as const;
    await beginWaits(
      database.db,
      [one!, other!].map(({ id }) => ({ ...wait, name: id, awaited: id })),
    );
    await suspend(database.db, run!);
    await race(
      (tx) => complete(tx, one!),
      (db) => complete(db, other!),
    );
    expect(await look()).toEqual({ due: 1, waiting: 0 });
  });
});

describe('a signal in a transaction whose snapshot is older than the wait', () => {
  test.each(['RepeatableRead', 'Serializable'] as const)(
    'is refused at %s, and nobody sleeps for ever',
    async (level) => {
      const [run] = await claim(1);
      const sent = database.connect().$transaction(
        async (tx) => {
          await tx.jobRun.count();
          await begin(database.db, run!, 'signal', `paid ${n}`);
          await pay(tx);
        },
        { isolationLevel: level },
      );
      await expect(sent).rejects.toMatchObject({ code: 'isolation_too_high' });
      await pay(database.db);
      expect(await look()).toEqual({ due: 0, waiting: 0 });
    },
  );

  test('is refused in SQL, too', async () => {
    const sent = database
      .connect()
      .$transaction((tx) => tx.$queryRaw`SELECT duework.signal('paid', ${String(n)}, '{}')`, {
        isolationLevel: 'RepeatableRead',
      });
    await expect(sent).rejects.toThrow(/22W13.+at REPEATABLE READ it would not see/);
  });
});
