import { defineJob } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { jobRequest } from '@duework/queue-core';
import type { ClaimableContract } from '@duework/queue-core/ports';
import { charge, echo } from '../fixtures/test-contracts.js';
import { claim, LEASE_MS, numbersOf, settle, type UseHarness } from './harness.js';

const newer = defineJob({
  type: 'echo',
  version: 3,
  payload: z.object({ m: z.int() }),
  past: { 2: { payload: z.object({ n: z.int() }), lift: ({ n }) => ({ m: n }) } },
});
const elsewhere = defineJob({ type: 'echo', payload: z.object({ n: z.int() }), queue: 'slow' });

export function claimCases(use: UseHarness): void {
  test('a claim is a charged attempt under a lease with a higher fence', async () => {
    const { id, runAt } = await use().queue.enqueue(echo, { n: 1 });
    const [run] = await claim(use(), 1, 'w1');
    expect(run).toMatchObject({
      id,
      type: 'echo',
      version: 1,
      queue: 'default',
      priority: 5,
      payload: { n: 1 },
      idempotencyKey: null,
      attempt: 1,
      maxAttempts: 10,
      fence: 1,
      waitedMs: expect.any(Number),
    });
    const { job } = await use().queue.getJob(id);
    expect(job).toMatchObject({ status: 'running', attempts: 1, fence: 1, worker: 'w1' });
    expect(job.lockedUntil!.getTime() - job.claimedAt!.getTime()).toBe(LEASE_MS);
    expect(Math.trunc(run!.runAtMs)).toBe(runAt.getTime());
  });

  test('the oldest run is claimed first, and of the same moment the one that was enqueued first', async () => {
    const at = (ms: number): { runAt: Date } => ({ runAt: new Date(Date.UTC(2020, 0, 1) + ms) });
    await use().queue.enqueueMany([
      jobRequest(echo, { n: 3 }, at(9)),
      jobRequest(echo, { n: 4 }, at(9)),
      jobRequest(echo, { n: 2 }, at(8)),
      jobRequest(echo, { n: 1 }, at(2)),
      jobRequest(echo, { n: 99 }, { delay: '1h' }),
    ]);
    expect(numbersOf(await claim(use(), 2))).toEqual([1, 2]);
    expect(numbersOf(await claim(use(), 10))).toEqual([3, 4]);
    expect(await claim(use(), 10)).toEqual([]);
  });

  test('an enqueue may choose among the queues of its contract, and no other', async () => {
    const { queue, store } = use();
    const both = defineJob({ type: 'echo', payload: z.object({ n: z.int() }), queues: ['default', 'bulk'] });
    const { id } = await queue.enqueue(both, { n: 1 }, { queue: 'bulk' });
    await queue.enqueue(both, { n: 2 });
    expect(numbersOf(await claim(use(), 10))).toEqual([2]);
    const contracts = new Map([[both.type, both]]);
    const { runs } = await store.claim({ queue: 'bulk', contracts, worker: 'w', limit: 10 });
    expect(runs).toMatchObject([{ id, queue: 'bulk', payload: { n: 1 } }]);
    for (const contract of [both, echo])
      await expect(queue.enqueue(contract, { n: 3 }, { queue: 'mail' })).rejects.toMatchObject({
        code: 'queue_not_allowed',
        facts: { type: 'echo', queue: 'mail', queues: contract.queues },
      });
  });

  test('a run with a delay is due when that time has gone by, not before', async () => {
    await use().queue.enqueue(echo, { n: 1 }, { delay: '1h' });
    await use().passTime(3_540_000);
    expect(await claim(use(), 10)).toEqual([]);
    await use().passTime(60_000);
    const [run] = await claim(use(), 10);
    expect(run).toMatchObject({ attempt: 1 });
    expect(run!.waitedMs).toBeLessThan(60_000);
  });

  test('never more than the limit, and each run once', async () => {
    const jobs = await use().queue.enqueueMany(
      Array.from({ length: 25 }, (_, n) => jobRequest(echo, { n }, use.can.priorities ? { priority: n % 3 } : {})),
    );
    const batches = [];
    for (let batch = await claim(use(), 7); batch.length > 0; batch = await claim(use(), 7))
      batches.push(batch.map((run) => run.id));
    expect(batches.map((batch) => batch.length)).toEqual([7, 7, 7, 4]);
    expect(batches.flat().sort()).toEqual(jobs.map((job) => job.id).sort());
  });

  test('a worker takes only the types it knows, from the queue it asked for', async () => {
    await use().queue.enqueueMany([
      jobRequest(charge, { invoice: 1 }),
      jobRequest(echo, { n: 1 }),
      jobRequest(elsewhere, { n: 2 }),
    ]);
    const onlyEcho = new Map([['echo', echo]]);
    const take = async (queue: string): Promise<object[]> =>
      (await use().store.claim({ queue, contracts: onlyEcho, worker: 'w', limit: 10 })).runs;
    expect(await take('default')).toMatchObject([{ payload: { n: 1 } }]);
    expect(await take('slow')).toMatchObject([{ payload: { n: 2 }, queue: 'slow' }]);
    expect(await take('default')).toEqual([]);
  });

  test('a worker takes only the versions it can read; the others wait, uncharged and as they are, and hold up nobody behind them', async () => {
    const { queue, store } = use();
    const jobs = await queue.enqueueMany([
      jobRequest(newer, { m: 1 }),
      jobRequest(newer, { m: 2 }),
      jobRequest(echo, { n: 3 }),
      jobRequest({ ...newer, version: 2 }, { m: 4 }),
      jobRequest(echo, { n: 5 }),
    ]);
    const idsOf = (runs: readonly { readonly id: string }[]): string[] => runs.map(({ id }) => id);
    const [first, second, third, fourth, fifth] = idsOf(jobs);
    const take = async (contract: ClaimableContract, limit = 1): Promise<string[]> =>
      idsOf(
        (await store.claim({ queue: 'default', contracts: new Map([['echo', contract]]), worker: 'w', limit })).runs,
      );
    expect([await take(echo), await take(echo), await take(echo)]).toEqual([[third], [fifth], []]);
    const waiting = { status: 'queued', attempts: 0, fence: 0, worker: null, version: 3, payload: { m: 1 } };
    expect((await queue.getJob(first!)).job).toMatchObject(waiting);
    expect(await take(newer, 10)).toEqual([first, second, fourth]);
    expect(await take({ ...newer, oldestVersion: 3 }, 10)).toEqual([]);
  });

  test('what a worker cannot read, because it is older than its oldest version, waits as well', async () => {
    const { queue, store } = use();
    const { id } = await queue.enqueue(echo, { n: 1 });
    const take = async (contract: ClaimableContract): Promise<object[]> =>
      (await store.claim({ queue: 'default', contracts: new Map([['echo', contract]]), worker: 'w', limit: 10 })).runs;
    expect(await take(newer)).toEqual([]);
    expect(await take(echo)).toMatchObject([{ id, version: 1, attempt: 1 }]);
  });

  test('a run that waits for its retry is claimed when it is due, with its attempts', async () => {
    await use().queue.enqueue(echo, { n: 1 });
    const [first] = await claim(use(), 1);
    await settle(use(), first!, { kind: 'snooze', delayMs: 60_000 });
    expect(await claim(use(), 1)).toEqual([]);
    await use().passTime(60_000);
    expect(await claim(use(), 1)).toMatchObject([{ id: first!.id, attempt: 1, fence: 2 }]);
    const { job } = await use().queue.getJob(first!.id);
    expect(job.lockedUntil!.getTime() - job.claimedAt!.getTime()).toBe(LEASE_MS);
  });

  test('a handler that changes its payload changes no other run’s', async () => {
    const { id } = await use().queue.enqueue(echo, { n: 1 });
    const [run] = await claim(use(), 1);
    Object.assign(run!.payload as object, { n: 2 });
    expect((await use().queue.getJob(id)).job.payload).toEqual({ n: 1 });
  });
}
