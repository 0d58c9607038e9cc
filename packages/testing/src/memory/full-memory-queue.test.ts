import { describe, expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import { charge, echo } from '../fixtures/test-contracts.js';
import { createMemoryQueue, type MemoryQueue } from './create-memory-queue.js';
import { claim, numbersOf, settle } from '../conformance/harness.js';

const fill = (queue: MemoryQueue<null>, from: number, to: number) =>
  queue.enqueueMany(Array.from({ length: to - from + 1 }, (_, index) => jobRequest(echo, { n: from + index })));

/** Takes one run and finishes it: room for one more. */
async function finishOne(queue: MemoryQueue<null>): Promise<number> {
  const [run] = await claim(queue, 1);
  await settle(queue, run!, { kind: 'complete', result: null });
  return numbersOf([run!])[0]!;
}

/** What has become of promises so far, in their order. */
function follow<T>(promises: readonly Promise<T>[]): () => Promise<string[]> {
  const states = promises.map(() => 'waits');
  promises.forEach((promise, index) =>
    promise.then(
      () => (states[index] = 'done'),
      (error: Error) => (states[index] = error.name === 'DueworkError' ? 'refused' : 'gone'),
    ),
  );
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return [...states];
  };
}

describe('a full queue', () => {
  test('makes its caller wait, and serves them in order', async () => {
    const queue = createMemoryQueue({ capacity: 2 });
    await fill(queue, 1, 2);
    const states = follow([3, 4, 5].map((n) => queue.enqueue(echo, { n })));
    expect(await states()).toEqual(['waits', 'waits', 'waits']);
    expect(queue.size()).toEqual({ live: 2, finished: 0, waiting: 3 });
    const order = [await finishOne(queue)];
    expect(await states()).toEqual(['done', 'waits', 'waits']);
    for (let n = 0; n < 4; n++) order.push(await finishOne(queue));
    expect(await states()).toEqual(['done', 'done', 'done']);
    expect(order).toEqual([1, 2, 3, 4, 5]);
    expect(queue.size()).toEqual({ live: 0, finished: 5, waiting: 0 });
  });

  test('admits a batch as a whole, and no later request overtakes it', async () => {
    const queue = createMemoryQueue({ capacity: 3 });
    await fill(queue, 1, 3);
    const states = follow<unknown>([fill(queue, 4, 5), queue.enqueue(echo, { n: 6 })]);
    await finishOne(queue);
    expect(await states()).toEqual(['waits', 'waits']);
    await finishOne(queue);
    expect(await states()).toEqual(['done', 'waits']);
    await finishOne(queue);
    expect(await states()).toEqual(['done', 'done']);
    expect([await finishOne(queue), await finishOne(queue), await finishOne(queue)]).toEqual([4, 5, 6]);
  });

  test('refuses a request, and says how full it is', async () => {
    const queue = createMemoryQueue({ capacity: 2, whenFull: 'refuse' });
    await fill(queue, 1, 2);
    await expect(queue.enqueue(echo, { n: 3 })).rejects.toMatchObject({
      code: 'queue_full',
      facts: { requested: 1, live: 2, waiting: 0, capacity: 2 },
    });
    await finishOne(queue);
    // all or none
    await expect(fill(queue, 3, 4)).rejects.toMatchObject({ code: 'queue_full', facts: { requested: 2, live: 1 } });
    expect(queue.size()).toMatchObject({ live: 1 });
    expect(await queue.enqueue(echo, { n: 3 })).toMatchObject({ status: 'queued' });
  });

  test('drops a request, and returns null for it', async () => {
    const queue = createMemoryQueue({ capacity: 2, whenFull: 'drop' });
    expect(await queue.enqueue(echo, { n: 1 })).toMatchObject({ status: 'queued' });
    expect(await fill(queue, 2, 3)).toBeNull();
    expect(await queue.enqueue(echo, { n: 2 })).toMatchObject({ status: 'queued' });
    expect(await queue.enqueue(echo, { n: 3 })).toBeNull();
    expect(queue.size()).toEqual({ live: 2, finished: 0, waiting: 0 });
  });

  test.each(['wait', 'refuse', 'drop'] as const)('that would %s refuses at once what never fits', async (whenFull) => {
    const queue = createMemoryQueue({ capacity: 2, whenFull });
    await expect(fill(queue, 1, 3)).rejects.toMatchObject({
      code: 'queue_full',
      message: '3 jobs at once never fit into a queue of 2. Enqueue them in smaller parts.',
    });
  });

  test('accepts a request whose run exists already under its key', async () => {
    const queue = createMemoryQueue({ capacity: 2, whenFull: 'refuse' });
    const jobs = await queue.enqueueMany([1, 2].map((invoice) => jobRequest(charge, { invoice })));
    expect(await queue.enqueueMany([2, 1, 1].map((invoice) => jobRequest(charge, { invoice })))).toMatchObject([
      { id: jobs[1]!.id },
      { id: jobs[0]!.id },
      { id: jobs[0]!.id, isDeduplicated: true },
    ]);
  });

  test('makes one run of two requests that wait for room with the same key', async () => {
    const queue = createMemoryQueue({ capacity: 1 });
    await fill(queue, 1, 1);
    const waiting = [1, 1].map((invoice) => queue.enqueue(charge, { invoice }));
    await finishOne(queue);
    const [first, second] = await Promise.all(waiting);
    expect(second).toEqual({ ...first, isDeduplicated: true });
  });

  test('lets a caller that gives up leave the line, and those behind it move up', async () => {
    const queue = createMemoryQueue({ capacity: 2 });
    await fill(queue, 1, 1);
    const giveUp = new AbortController();
    const states = follow<unknown>([
      queue.enqueueMany(
        [2, 3].map((n) => jobRequest(echo, { n })),
        { signal: giveUp.signal },
      ),
      queue.enqueue(echo, { n: 4 }),
    ]);
    expect(await states()).toEqual(['waits', 'waits']);
    giveUp.abort(Object.assign(new Error('the request was closed'), { name: 'Closed' }));
    expect(await states()).toEqual(['gone', 'done']);
    expect(queue.size()).toEqual({ live: 2, finished: 0, waiting: 0 });
    await expect(queue.enqueue(echo, { n: 5 }, { signal: giveUp.signal })).rejects.toThrow('the request was closed');
  });

  test('refuses a request when the line is full too', async () => {
    const queue = createMemoryQueue({ capacity: 1, maxWaiting: 2 });
    await fill(queue, 1, 1);
    const states = follow([2, 3, 4].map((n) => queue.enqueue(echo, { n })));
    expect(await states()).toEqual(['waits', 'waits', 'refused']);
  });

  test('refuses a bad request before it waits', async () => {
    const queue = createMemoryQueue({ capacity: 1 });
    await fill(queue, 1, 1);
    await expect(queue.enqueue(echo, { n: 'two' } as never)).rejects.toMatchObject({ code: 'invalid_payload' });
    expect(queue.size().waiting).toBe(0);
  });

  test('lets a finished run come back only where there is room', async () => {
    const queue = createMemoryQueue({ capacity: 1 });
    const first = await queue.enqueue(echo, { n: 1 });
    await queue.cancelJob(first.id);
    const second = await queue.enqueue(echo, { n: 2 });
    await expect(queue.retryJob(first.id)).rejects.toMatchObject({ code: 'queue_full' });
    await queue.cancelJob(second.id);
    await queue.retryJob(first.id);
    expect((await queue.getJob(first.id)).job.status).toBe('queued');
  });

  test.each([{ capacity: 0 }, { capacity: 1.5 }, { capacity: Infinity }, { maxWaiting: -1 }, { keepFinished: NaN }])(
    'cannot have a bound of %j',
    (options) => {
      expect(() => createMemoryQueue(options)).toThrow(expect.objectContaining({ code: 'invalid_option' }));
    },
  );
});
