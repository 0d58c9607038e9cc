import { defineCatalog, defineJob, defineSignal, fixed } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { untilItWaits, untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { signal } from '../enqueue/signal.js';
import { cancelJob, getJob, retryJob } from '../queue/operate.js';
import type { Handler } from '../run/handler.js';
import { bury, complete } from '../settle/outcome.js';
import type { Worker } from '../worker/create-worker.js';

const database = useTestDatabase();
const order = defineJob({
  type: 'order',
  payload: z.object({ id: z.int() }),
  retry: fixed('1ms'),
  maxAttempts: 3,
  durable: true,
});
const print = defineJob({ type: 'print', payload: z.object({ page: z.int() }), result: z.object({ sheets: z.int() }) });
const catalog = defineCatalog([order, print]);
const paid = defineSignal({
  name: 'paid',
  by: ['orderId'],
  payload: z.object({ orderId: z.int(), amount: z.int() }),
});
type Take = Handler<typeof order>;

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

let orders = 0;

/** Starts an order with a worker that runs it by that handler, and pages by the other one. */
async function begin(
  take: Take,
  printPage: Handler<typeof print> = ({ payload }) => complete({ sheets: payload.page }),
) {
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { order: take, print: printPage },
  });
  workers.push(worker);
  const orderId = ++orders;
  const { id } = await enqueue(database.db, order, { id: orderId });
  const read = async () => (await getJob(database.db, id)).job;
  const ended = async () => {
    await untilJob(database.db, id);
    return read();
  };
  /** The run waits, without a worker. */
  const waits = async () => {
    await events.waitFor('job.snoozed');
    return read();
  };
  return { id, orderId, events, read, ended, waits };
}

/** A fact of the database, which is asked for again and again. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(5);
}

const due = (id: string): Promise<number> =>
  database.db.$executeRaw`UPDATE duework.job_runs SET run_at = now() WHERE id = ${BigInt(id)}`;
/** What the run sleeps for is over. */
async function wakeUp(id: string): Promise<void> {
  await database.db
    .$executeRaw`UPDATE duework.job_steps SET wakes_at = now() WHERE run_id = ${BigInt(id)} AND status = 'waiting'`;
  await due(id);
  await database.db.$executeRaw`SELECT pg_notify('duework_wake', 'default')`;
}

describe('a run that sleeps', () => {
  test('has no worker and is not charged, and goes on behind what it has done when its time has come', async () => {
    const did: string[] = [];
    const { id, waits, ended } = await begin(async ({ step, sleep }) => {
      await step('mail', () => void did.push('mail'));
      await sleep('30d');
      await step('ask', () => void did.push('ask'));
    });
    const asleep = await waits();
    expect(asleep).toMatchObject({ status: 'queued', worker: null, attempts: 0 });
    expect(asleep.runAt.getTime() - Date.now()).toBeGreaterThan(29 * 86_400_000);
    expect(did).toEqual(['mail']);
    await wakeUp(id);
    expect(await ended()).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(did).toEqual(['mail', 'ask']);
  });

  test('until a moment that the handler computes anew each time sleeps until the first one', async () => {
    const { ended } = await begin(async ({ sleep }) => {
      await sleep(new Date(Date.now() + 50));
    });
    expect(await ended()).toMatchObject({ status: 'succeeded', attempts: 1 });
  });

  test('that is woken too early goes back to sleep, as often as that happens', async () => {
    let begun = 0;
    const { id, events, read } = await begin(async ({ sleep }) => {
      begun++;
      await sleep('1h');
    });
    await events.waitFor('job.snoozed');
    await due(id);
    await database.db.$executeRaw`SELECT pg_notify('duework_wake', 'default')`;
    await events.waitFor('job.snoozed', 2);
    expect(begun).toBe(2);
    expect((await read()).runAt.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  });

  test('can be cancelled', async () => {
    const { id, waits } = await begin(async ({ sleep }) => sleep('1h'));
    await waits();
    expect(await cancelJob(database.db, id)).toBe('cancelled');
  });

  test('does so only when nothing else that it has asked for goes on', async () => {
    const did: string[] = [];
    const { id, waits, ended } = await begin(async ({ step, sleep, run }) => {
      await Promise.all([
        sleep('1h'),
        step('slow', async () => {
          await until(async () => (await database.db.jobStep.count({ where: { runId: BigInt(run.id) } })) === 1);
          did.push('slow');
        }).then(() => step('next', () => void did.push('next'))),
      ]);
    });
    await waits();
    expect(did).toEqual(['slow', 'next']);
    await wakeUp(id);
    expect(await ended()).toMatchObject({ status: 'succeeded' });
    expect(did).toEqual(['slow', 'next']);
  });
});

describe('a signal', () => {
  test('wakes the run that waits for it, whose handler gets its payload', async () => {
    const got: unknown[] = [];
    const { orderId, waits, ended } = await begin(async ({ payload, waitFor }) => {
      got.push(await waitFor(paid, { where: { orderId: payload.id } }));
    });
    await waits();
    expect(await signal(database.db, paid, { orderId: orderId + 1_000, amount: 1 })).toBe(false);
    expect(await signal(database.db, paid, { orderId, amount: 5 })).toBe(true);
    expect(await ended()).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(got).toEqual([{ orderId, amount: 5 }]);
  });

  test('that was sent before anybody waits is kept for the first that does, and received once', async () => {
    const got: unknown[] = [];
    const orderId = orders + 1;
    await signal(database.db, paid, { orderId, amount: 1 });
    await signal(database.db, paid, { orderId, amount: 2 });
    const { ended } = await begin(async ({ payload, waitFor }) => {
      const where = { orderId: payload.id };
      got.push(await waitFor(paid, { where, name: 'first' }), await waitFor(paid, { where, name: 'second' }));
    });
    expect(await ended()).toMatchObject({ status: 'succeeded' });
    expect(got).toEqual([
      { orderId, amount: 1 },
      { orderId, amount: 2 },
    ]);
    expect(await database.db.jobSignal.count({ where: { awaited: `paid ${orderId}` } })).toBe(0);
  });

  test('that does not come in time is null, in every attempt that follows', async () => {
    const got: unknown[] = [];
    const { id, orderId, waits, ended } = await begin(async ({ payload, waitFor, sleep }) => {
      got.push(await waitFor(paid, { where: { orderId: payload.id }, timeout: '30d' }));
      await sleep('1h');
    });
    await waits();
    await wakeUp(id);
    await until(
      async () =>
        (await database.db.jobStep.count({ where: { runId: BigInt(id), status: 'waiting' } })) === 1 &&
        got.length === 1,
    );
    // too late: nobody waits for it any more
    expect(await signal(database.db, paid, { orderId, amount: 9 })).toBe(false);
    await until(async () => (await getJob(database.db, id)).job.status === 'queued');
    await wakeUp(id);
    expect(await ended()).toMatchObject({ status: 'succeeded' });
    expect(got).toEqual([null, null]);
  });

  test('is sent when the transaction commits, and not where it is rolled back', async () => {
    const { id, orderId, waits, ended, read } = await begin(async ({ payload, waitFor }) => {
      await waitFor(paid, { where: { orderId: payload.id } });
    });
    await waits();
    await expect(
      database.db.$transaction(async (tx) => {
        expect(await signal(tx, paid, { orderId, amount: 1 })).toBe(true);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await read()).toMatchObject({ status: 'queued' });
    expect(await database.db.jobStep.count({ where: { runId: BigInt(id), status: 'waiting' } })).toBe(1);
    await database.db.$transaction((tx) => signal(tx, paid, { orderId, amount: 2 }));
    expect(await ended()).toMatchObject({ status: 'succeeded' });
  });

  test('in a transaction that is open while the run begins to wait is not overlooked', async () => {
    const got: unknown[] = [];
    const orderId = orders + 1;
    let started!: Awaited<ReturnType<typeof begin>>;
    await database.db.$transaction(
      async (tx) => {
        expect(await signal(tx, paid, { orderId, amount: 3 })).toBe(false);
        started = await begin(async ({ payload, waitFor }) => {
          got.push(await waitFor(paid, { where: { orderId: payload.id } }));
        });
        await started.events.waitFor('job.claimed');
      },
      { timeout: 30_000 },
    );
    expect(await started.ended()).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(got).toEqual([{ orderId, amount: 3 }]);
  });

  test('that waits for another one’s transaction gets the next wait, and none is lost', async () => {
    const got: number[] = [];
    const { orderId, waits, ended } = await begin(async ({ payload, waitFor }) => {
      const where = { orderId: payload.id };
      for (const name of ['first', 'second']) got.push((await waitFor(paid, { where, name })).amount);
    });
    await waits();
    const other = await database.db.$transaction(async (tx) => {
      await signal(tx, paid, { orderId, amount: 1 });
      return untilItWaits(database.db, database.connect({ poolSize: 1 }), (db) =>
        signal(db, paid, { orderId, amount: 2 }),
      );
    });
    await other.answer;
    expect(await ended()).toMatchObject({ status: 'succeeded' });
    expect(got.sort()).toEqual([1, 2]);
  });

  test('that was sent while its run was dead is received when that is retried', async () => {
    const got: unknown[] = [];
    let isMended = false;
    const { id, orderId, ended } = await begin(async ({ payload, waitFor, step }) => {
      const waiting = waitFor(paid, { where: { orderId: payload.id } });
      if (!isMended) {
        await step('begin', () => 1);
        return bury('not_yet', 'dies while it waits');
      }
      await step('begin', () => 1);
      got.push(await waiting);
      return undefined;
    });
    expect(await ended()).toMatchObject({ status: 'dead' });
    expect(await signal(database.db, paid, { orderId, amount: 4 })).toBe(false);
    isMended = true;
    await retryJob(database.db, id);
    await until(async () => (await getJob(database.db, id)).job.status === 'succeeded');
    expect(got).toEqual([{ orderId, amount: 4 }]);
  });
});

test('of a race between a wait and a step the winner stays the same, whatever arrives meanwhile', async () => {
  const winners: string[] = [];
  const { ended } = await begin(async ({ payload, waitFor, step, attempt, run }) => {
    const where = { orderId: payload.id };
    const winner = await Promise.race([
      waitFor(paid, { where }).then(() => 'signal'),
      step('pay', async () => {
        // it has arrived before the step ends, and this attempt does not look
        await until(async () => (await database.db.jobStep.count({ where: { runId: BigInt(run.id) } })) === 1);
        await signal(database.db, paid, { orderId: payload.id, amount: 1 });
        return 'step';
      }),
    ]);
    winners.push(winner);
    await step(`after the ${winner}`, () => 1);
    if (attempt < 2) throw new Error('not yet');
  });
  expect(await ended()).toMatchObject({ status: 'succeeded', attempts: 2 });
  expect(winners).toEqual(['step', 'step']);
});

describe('a child', () => {
  test('is enqueued once, and its parent waits for its result without a slot', async () => {
    const got: unknown[] = [];
    const { ended } = await begin(async ({ child, attempt }) => {
      got.push(await child(print, { page: 7 }));
      if (attempt < 2) throw new Error('not yet');
    });
    expect(await ended()).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect(got).toEqual([{ sheets: 7 }, { sheets: 7 }]);
    expect(await database.db.jobHistory.count({ where: { jobType: 'print' } })).toBe(1);
  });

  test('of many at once each is awaited, and their results are in their order', async () => {
    const pages = Array.from({ length: 100 }, (_, page) => page);
    const got: number[] = [];
    const { ended } = await begin(async ({ child }) => {
      const results = await Promise.all(pages.map((page) => child(print, { page }, { name: `page ${page}` })));
      got.push(...results.map(({ sheets }) => sheets));
    });
    expect(await ended()).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(got).toEqual(pages);
  });

  test('that is dead throws its error, in each attempt', async () => {
    const codes: unknown[] = [];
    const { ended } = await begin(
      async ({ child, attempt }) => {
        await child(print, { page: 1 }).catch((error: { code: string }) => codes.push(error.code));
        if (attempt < 2) throw new Error('not yet');
      },
      () => bury('no_paper', 'The printer has no paper.'),
    );
    expect(await ended()).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect(codes).toEqual(['no_paper', 'no_paper']);
  });
});

test('a handler waits for a job that somebody else has enqueued, also for one that has ended; and for none that there is not', async () => {
  const { id: page } = await enqueue(database.db, print, { page: 3 });
  const got: unknown[] = [];
  const { id, ended } = await begin(async ({ waitForJob: wait }) => {
    got.push(await wait(page), await wait(page, { name: 'again' }));
    await wait('999999999999999');
  });
  expect(await ended()).toMatchObject({ status: 'dead', errorCode: 'step_misused' });
  const end = { id: page, status: 'succeeded', result: { sheets: 3 }, errorCode: null, error: null };
  expect(got).toEqual([end, end]);
  expect(id).not.toBe(page);
});

test('a dead run that is retried from a step goes on from there, with another child', async () => {
  const did: string[] = [];
  let isBroken = true;
  const { id, ended } = await begin(
    async ({ step, child }) => {
      await step('first', () => void did.push('first'));
      const { sheets } = await child(print, { page: 3 });
      await step('last', () => void did.push(`last ${sheets}`));
    },
    ({ payload: { page } }) => (isBroken ? bury('jam', 'paper') : complete({ sheets: page })),
  );
  expect(await ended()).toMatchObject({ status: 'dead', errorCode: 'jam' });
  isBroken = false;
  // it is remembered that the child is dead
  await retryJob(database.db, id);
  expect(await ended()).toMatchObject({ status: 'dead', errorCode: 'jam' });
  await retryJob(database.db, id, { fromStep: 'print' });
  expect(await ended()).toMatchObject({ status: 'succeeded' });
  expect(did).toEqual(['first', 'last 3']);
});
