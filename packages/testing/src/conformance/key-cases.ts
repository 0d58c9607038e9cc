import { defineJob } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { jobRequest } from '@duework/queue-core';
import { charge, echo } from '../fixtures/test-contracts.js';
import { claim, settle, type UseHarness } from './harness.js';

const hourly = defineJob({
  type: 'hourly',
  payload: z.object({}),
  idempotencyKey: () => 'the hour',
  idempotencyWindow: '1h',
});

export function keyCases(use: UseHarness): void {
  test('a duplicate key returns the run that exists and says so', async () => {
    const { queue } = use();
    const first = await queue.enqueue(charge, { invoice: 812 });
    expect(first).toMatchObject({ type: 'charge', status: 'queued', isDeduplicated: false });
    expect(await queue.enqueue(charge, { invoice: 812 })).toEqual({ ...first, isDeduplicated: true });
    expect((await queue.getJob(first.id)).job.idempotencyKey).toBe('charge:812');
    expect(await claim(use(), 10)).toMatchObject([{ id: first.id, idempotencyKey: 'charge:812' }]);
  });

  test('a key whose run has another payload says so, alone and in a batch, before and after its end', async () => {
    const { queue } = use();
    const give = (n: number) => queue.enqueue(echo, { n }, { idempotencyKey: 'payload' });
    expect(await give(1)).toMatchObject({ isDeduplicated: false, payloadDiffers: false });
    expect(await give(1)).toMatchObject({ isDeduplicated: true, payloadDiffers: false });
    expect(await give(2)).toMatchObject({ isDeduplicated: true, payloadDiffers: true });
    const [run] = await claim(use(), 1);
    await settle(use(), run!, { kind: 'complete', result: null });
    expect(await give(2)).toMatchObject({ status: 'succeeded', payloadDiffers: true });
    const keys = ['payload', 'payload', 'new', 'new', null];
    const jobs = await queue.enqueueMany(
      keys.map((idempotencyKey, index) => jobRequest(echo, { n: index }, { idempotencyKey })),
    );
    expect(jobs.map(({ payloadDiffers }) => payloadDiffers)).toEqual([true, false, false, true, false]);
  });

  test('calls of one key that arrive together are each told whether the payload is theirs', async () => {
    const { queue } = use();
    const jobs = await Promise.all(
      [1, 1, 2, 1, 2].map((n) => queue.enqueue(echo, { n }, { idempotencyKey: 'together' })),
    );
    expect(jobs.map(({ isDeduplicated }) => isDeduplicated)).toEqual([false, true, true, true, true]);
    expect(jobs.map(({ payloadDiffers }) => payloadDiffers)).toEqual([false, false, true, false, true]);
  });

  test('a key holds beyond the end of its run', async () => {
    const first = await use().queue.enqueue(charge, { invoice: 1 });
    const [run] = await claim(use(), 1);
    await settle(use(), run!, { kind: 'complete', result: null });
    expect(await use().queue.enqueue(charge, { invoice: 1 })).toMatchObject({
      id: first.id,
      status: 'succeeded',
      isDeduplicated: true,
    });
  });

  test('a key holds for the window the contract gives, and no longer', async () => {
    const { queue, passTime } = use();
    const first = await queue.enqueue(hourly, {});
    await passTime(3_500_000);
    expect(await queue.enqueue(hourly, {})).toMatchObject({ id: first.id, isDeduplicated: true });
    await passTime(100_000);
    const next = await queue.enqueue(hourly, {});
    expect(next).toMatchObject({ isDeduplicated: false });
    expect(next.id).not.toBe(first.id);
    await passTime(3_500_000);
    expect(await queue.enqueue(hourly, {})).toMatchObject({ id: next.id, isDeduplicated: true });
  });

  test('a key is per type, can be given by the caller, and can be refused by null', async () => {
    const { queue } = use();
    await queue.enqueue(charge, { invoice: 812 });
    const mine = await queue.enqueue(echo, { n: 1 }, { idempotencyKey: 'charge:812' });
    expect(mine.isDeduplicated).toBe(false);
    expect(await queue.enqueue(echo, { n: 2 }, { idempotencyKey: 'charge:812' })).toMatchObject({
      id: mine.id,
      isDeduplicated: true,
    });
    expect(await queue.enqueue(charge, { invoice: 812 }, { idempotencyKey: null })).toMatchObject({
      isDeduplicated: false,
    });
  });

  test('a key that comes twice in one batch makes one run, the first', async () => {
    const jobs = await use().queue.enqueueMany([80, 81, 80].map((invoice) => jobRequest(charge, { invoice })));
    expect(jobs.map((job) => job.isDeduplicated)).toEqual([false, false, true]);
    expect(jobs[2]!.id).toBe(jobs[0]!.id);
  });

  test('a batch is written as a whole or not at all, in the order of its requests', async () => {
    const { queue } = use();
    await expect(
      queue.enqueueMany([jobRequest(echo, { n: 1 }), jobRequest(echo, { n: 'x' } as never)]),
    ).rejects.toMatchObject({ code: 'invalid_payload' });
    expect(await queue.queueDepth()).toEqual([]);
    const jobs = await queue.enqueueMany([
      jobRequest(echo, { n: 1 }),
      jobRequest(charge, { invoice: 70 }),
      jobRequest(echo, { n: 2 }),
    ]);
    expect(jobs.map((job) => job.type)).toEqual(['echo', 'charge', 'echo']);
    expect((await claim(use(), 10)).map(({ id }) => id)).toEqual(jobs.map(({ id }) => id));
    expect(await queue.enqueueMany([])).toEqual([]);
  });
}
