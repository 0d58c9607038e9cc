import { jobRequest, type Batch, type BatchRequest } from '@duework/queue-core';
import { expect, test } from '@jest/globals';
import { charge, echo } from '../fixtures/test-contracts.js';
import { claim, numbersOf, rescueExpired, settle, someError, type UseHarness } from './harness.js';

const DAY_MS = 86_400_000;
const job = (n: number) => jobRequest(echo, { n });
/** A callback is told apart by its number. */
const CALLBACKS = { onSettled: job(100), onSucceeded: job(101), onFirstDead: job(102) };
const BURY = { kind: 'bury', error: someError, abort: null };
const COMPLETE = { kind: 'complete', result: null };

export function batchCases(use: UseHarness): void {
  const begin = async (count: number, more: Partial<BatchRequest> = {}): Promise<string> => {
    const jobs = Array.from({ length: count }, (_, n) => job(n));
    return (await use().queue.enqueueBatch({ jobs, ...CALLBACKS, ...more })).id;
  };
  const look = (id: string): Promise<Batch> => use().queue.getBatch(id);
  const numbers = async (): Promise<number[]> => numbersOf(await claim(use(), 100)).toSorted((a, b) => a - b);
  /** Ends all that is due, by its number, and adds up as a worker does. */
  const endAll = async (endOf: (n: number) => object = () => COMPLETE): Promise<void> => {
    for (const run of await claim(use(), 100)) await settle(use(), run, endOf(numbersOf([run])[0]!));
    await use().store.addUpBatches(null);
  };

  test('its jobs name it, and it counts them exactly', async () => {
    const { id, jobs } = await use().queue.enqueueBatch({ name: 'invoices', jobs: [job(1), job(2), job(3)] });
    expect((await use().queue.getJob(jobs[0]!.id)).job.batch).toBe(id);
    const [first, second] = await claim(use(), 2);
    expect(first!.terms).toMatchObject({ batch: id });
    await settle(use(), first!, COMPLETE);
    await settle(use(), second!, { kind: 'fail', error: someError, abort: null, delayMs: 0 });
    expect(await look(id)).toEqual({
      id,
      name: 'invoices',
      jobs: 3,
      succeeded: 1,
      dead: 0,
      cancelled: 0,
      open: 2,
      createdAt: expect.any(Date),
      settledAt: null,
      callbacks: { onSettled: null, onSucceeded: null, onFirstDead: null },
      planned: [],
    });
  });

  test('once all have succeeded, what is to be enqueued then is, and only once', async () => {
    const id = await begin(3);
    await endAll();
    expect(await numbers()).toEqual([100, 101]);
    await use().store.addUpBatches([id]);
    await use().store.addUpBatches(null);
    expect(await numbers()).toEqual([]);
    expect(await look(id)).toMatchObject({
      succeeded: 3,
      open: 0,
      settledAt: expect.any(Date),
      callbacks: { onSettled: expect.any(String), onSucceeded: expect.any(String), onFirstDead: null },
      planned: ['onFirstDead', 'onSettled', 'onSucceeded'],
    });
  });

  test('the first dead job is told of while others are open, and the second is not', async () => {
    const id = await begin(3);
    const runs = await claim(use(), 3);
    for (const [at, expected] of [[102], [], [100]].entries()) {
      await settle(use(), runs[at]!, at < 2 ? BURY : COMPLETE);
      await use().store.addUpBatches(null);
      expect(await numbers()).toEqual(expected);
    }
    expect(await look(id)).toMatchObject({ dead: 2, succeeded: 1, open: 0 });
  });

  test('a dead job that is retried and succeeds lets the batch succeed; nothing else is told again', async () => {
    const { id, jobs } = await use().queue.enqueueBatch({ jobs: [job(0), job(1)], ...CALLBACKS });
    await endAll((n) => (n === 1 ? BURY : COMPLETE));
    expect(await numbers()).toEqual([100, 102]);
    await use().queue.retryJob(jobs[1]!.id);
    expect(await look(id)).toMatchObject({ dead: 0, succeeded: 1, open: 1, settledAt: expect.any(Date) });
    await endAll();
    expect(await numbers()).toEqual([101]);
    expect(await look(id)).toMatchObject({ dead: 0, succeeded: 2, open: 0 });
  });

  test('a job that is dead and retried before anybody has added up has died all the same', async () => {
    const id = await begin(1);
    const [run] = await claim(use(), 1);
    await settle(use(), run!, BURY);
    await use().queue.retryJob(run!.id);
    await endAll();
    expect((await look(id)).callbacks).toMatchObject({ onFirstDead: expect.any(String) });
  });

  test('a job that is lost, rescued and done again counts once', async () => {
    const id = await begin(1);
    await claim(use(), 1);
    await rescueExpired(use());
    await endAll();
    expect(await look(id)).toMatchObject({ jobs: 1, succeeded: 1, open: 0 });
  });

  test('jobs are added while one is open, and never afterwards', async () => {
    const id = await begin(1);
    const [planner] = await claim(use(), 1);
    await use().queue.addToBatch(id, [job(7), job(8)]);
    await settle(use(), planner!, COMPLETE);
    await use().store.addUpBatches([id]);
    expect(await look(id)).toMatchObject({ jobs: 3, open: 2, settledAt: null });
    await endAll();
    expect(await look(id)).toMatchObject({ jobs: 3, succeeded: 3, open: 0 });
    await expect(use().queue.addToBatch(id, [job(9)])).rejects.toMatchObject({ code: 'batch_settled', facts: { id } });
    expect(await numbers()).toEqual([100, 101]);
  });

  test('there is no batch of another id', async () => {
    const id = use().ids.unknown;
    const unknown = { code: 'batch_not_found', facts: { id } };
    await expect(look(id)).rejects.toMatchObject(unknown);
    await expect(use().queue.addToBatch(id, [job(1)])).rejects.toMatchObject(unknown);
    await expect(use().queue.cancelBatch(id)).rejects.toMatchObject(unknown);
    expect(await numbers()).toEqual([]);
  });

  test('one without jobs settles at once', async () => {
    const id = await begin(0);
    expect(await numbers()).toEqual([100, 101]);
    expect(await look(id)).toMatchObject({ jobs: 0, open: 0, settledAt: expect.any(Date) });
  });

  test('a job whose key is taken belongs to no batch, so that one of such jobs alone settles at once', async () => {
    await use().queue.enqueue(charge, { invoice: 1 });
    const { id, jobs } = await use().queue.enqueueBatch({ jobs: [jobRequest(charge, { invoice: 1 })], ...CALLBACKS });
    expect(jobs).toMatchObject([{ isDeduplicated: true }]);
    expect(await look(id)).toMatchObject({ jobs: 0, settledAt: expect.any(Date) });
    expect((await use().queue.getJob(jobs[0]!.id)).job.batch).toBeNull();
  });

  test('callbacks may be made of the id of their batch', async () => {
    let told = '';
    const id = await begin(0, { onSettled: (batch) => ((told = batch), job(200)) });
    expect(told).toBe(id);
    expect(await numbers()).toEqual([101, 200]);
  });

  test('cancelling it cancels what waits and asks what runs, and then it settles', async () => {
    const id = await begin(3);
    const [running] = await claim(use(), 1);
    expect(await use().queue.cancelBatch(id, { by: 'ada', reason: 'wrong month' })).toEqual({
      cancelled: 2,
      requested: 1,
    });
    expect(await look(id)).toMatchObject({ cancelled: 2, open: 1, settledAt: null });
    expect((await use().queue.getJob(running!.id)).job).toMatchObject({
      cancelRequestedBy: 'ada',
      cancelReason: 'wrong month',
    });
    await settle(use(), running!, { kind: 'confirm_cancel', by: null, reason: null, abort: null });
    await use().store.addUpBatches([id]);
    expect(await numbers()).toEqual([100]);
    expect(await use().queue.cancelBatch(id)).toEqual({ cancelled: 0, requested: 0 });
  });

  test('lists are newest first, a page at a time', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      ids.unshift(await begin(1, { name }));
      await use().passTime(5);
    }
    const first = await use().queue.listBatches({ limit: 2 });
    expect(first.batches.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await use().queue.listBatches({ limit: 2, cursor: first.nextCursor! });
    expect([second.batches.map(({ id }) => id), second.nextCursor]).toEqual([[ids[2]], null]);
    await expect(use().queue.listBatches({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'invalid_cursor' });
    await expect(use().queue.listBatches({ limit: 0 })).rejects.toMatchObject({ code: 'invalid_option' });
  });

  test('its jobs stay while it is open, and go with it: when finished jobs do, or where one is dead, when dead ones do', async () => {
    const enqueue = (...numbers: number[]) => use().queue.enqueueBatch({ jobs: numbers.map(job) });
    const [open, fine, bad, none] = [await enqueue(1, 2), await enqueue(3), await enqueue(4), await enqueue()];
    for (const run of await claim(use(), 100))
      if (numbersOf([run])[0] !== 2) await settle(use(), run, numbersOf([run])[0] === 4 ? BURY : COMPLETE);
    await use().store.addUpBatches(null);
    const keep = async (): Promise<unknown[]> => {
      await use().passTime(5 * DAY_MS);
      await use().store.prune({ keepDays: 3, keepDeadDays: 9 });
      const there = [];
      for (const { jobs } of [open, fine, bad])
        for (const { id } of jobs)
          there.push(
            await use()
              .queue.getJob(id)
              .then(
                ({ job: { status } }) => status,
                () => null,
              ),
          );
      return there;
    };
    expect(await keep()).toEqual(['succeeded', 'running', null, 'dead']);
    for (const { id } of [fine, none]) await expect(look(id)).rejects.toMatchObject({ code: 'batch_not_found' });
    expect(await look(open.id)).toMatchObject({ jobs: 2, succeeded: 1, open: 1 });
    expect(await look(bad.id)).toMatchObject({ dead: 1 });
    expect(await keep()).toEqual(['succeeded', 'running', null, null]);
    await expect(look(bad.id)).rejects.toMatchObject({ code: 'batch_not_found' });
  });
}
