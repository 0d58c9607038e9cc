import { defineJob } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import { z } from 'zod';
import { charge, echo } from '../fixtures/test-contracts.js';
import { claim, numbersOf, type UseHarness } from './harness.js';

const elsewhere = defineJob({ type: 'echo', payload: z.object({ n: z.int() }), queue: 'slow' });

export function pauseCases(use: UseHarness): void {
  const claimSlow = async (limit: number): Promise<number[]> =>
    numbersOf(
      (
        await use().store.claim({
          queue: 'slow',
          contracts: new Map([['echo', { ...elsewhere, leaseMs: 2_000 }]]),
          worker: 'w',
          limit,
        })
      ).runs,
    );

  test('of a paused queue nothing is claimed until it is resumed, and other queues go on', async () => {
    const { queue } = use();
    await queue.enqueueMany([jobRequest(echo, { n: 1 }), jobRequest(elsewhere, { n: 2 })]);
    await queue.pauseQueue('default');
    await queue.enqueue(echo, { n: 3 });
    expect(await claim(use(), 10)).toEqual([]);
    expect(await claimSlow(10)).toEqual([2]);
    await queue.resumeQueue('default');
    expect(numbersOf(await claim(use(), 10))).toEqual([1, 3]);
  });

  test('of a paused type nothing is claimed in any queue, and other types go on', async () => {
    const { queue } = use();
    await queue.enqueueMany([
      jobRequest(echo, { n: 1 }),
      jobRequest(elsewhere, { n: 2 }),
      jobRequest(charge, { invoice: 3 }),
    ]);
    await queue.pauseType('echo');
    expect(await claim(use(), 10)).toMatchObject([{ type: 'charge' }]);
    expect(await claimSlow(10)).toEqual([]);
    await queue.resumeType('echo');
    expect(numbersOf(await claim(use(), 10))).toEqual([1]);
    expect(await claimSlow(10)).toEqual([2]);
  });

  test('a queue and a type of one name are paused apart', async () => {
    const { queue } = use();
    await queue.enqueue(echo, { n: 1 });
    await queue.pauseQueue('echo');
    await queue.pauseType('default');
    expect(numbersOf(await claim(use(), 10))).toEqual([1]);
  });

  test('a pause with an end is over when that moment has come, and then nobody finds it', async () => {
    const { queue } = use();
    const { runAt } = await queue.enqueue(echo, { n: 1 });
    await queue.pauseQueue('default', { until: new Date(runAt.getTime() + 60_000) });
    await use().passTime(30_000);
    expect(await claim(use(), 10)).toEqual([]);
    expect(await queue.listPauses()).toHaveLength(1);
    await use().passTime(30_000);
    expect(numbersOf(await claim(use(), 10))).toEqual([1]);
    expect(await queue.listPauses()).toEqual([]);
    expect(await queue.resumeQueue('default')).toBeNull();
  });

  test('a pause says since when, until when, by whom and why', async () => {
    const { queue } = use();
    const until = new Date(Date.UTC(2999, 0, 1));
    const paused = await queue.pauseType('echo', { until, by: 'ada', reason: 'the provider is down' });
    expect(paused).toEqual({
      kind: 'type',
      name: 'echo',
      since: expect.any(Date),
      until,
      by: 'ada',
      reason: 'the provider is down',
    });
    const other = await queue.pauseQueue('default');
    expect(other).toMatchObject({ kind: 'queue', name: 'default', until: null, by: null, reason: null });
    expect(await queue.listPauses()).toEqual([other, paused]);
    expect(await queue.resumeType('echo')).toEqual(paused);
    expect(await queue.listPauses()).toEqual([other]);
  });

  test('a second pause keeps the beginning of the first, and takes the rest over', async () => {
    const { queue } = use();
    const first = await queue.pauseQueue('default', { until: new Date(Date.UTC(2999, 0, 1)), by: 'ada', reason: 'a' });
    const second = await queue.pauseQueue('default', { by: 'bob' });
    expect(second).toEqual({ ...first, until: null, by: 'bob', reason: null });
    expect(await queue.listPauses()).toEqual([second]);
  });

  test('what is not paused has nothing to resume', async () => {
    expect(await use().queue.resumeQueue('default')).toBeNull();
    expect(await use().queue.resumeType('echo')).toBeNull();
  });

  test('a pause without a name, or until no moment to come, is refused', async () => {
    const { queue } = use();
    const refused = { code: 'invalid_option' };
    await expect(queue.pauseQueue('')).rejects.toMatchObject(refused);
    await expect(queue.pauseType('x'.repeat(64))).rejects.toMatchObject(refused);
    await expect(queue.pauseQueue('default', { until: new Date(NaN) })).rejects.toMatchObject(refused);
    await expect(queue.pauseQueue('default', { until: new Date(0) })).rejects.toMatchObject(refused);
    await expect(queue.pauseQueue('default', { reason: '\0' })).rejects.toMatchObject(refused);
    expect(await queue.listPauses()).toEqual([]);
  });
}
