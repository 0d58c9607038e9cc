import { defineJob, defineSignal } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import { z } from 'zod';
import { echo } from '../fixtures/test-contracts.js';
import { ARRANGE } from './arrange.js';
import type { UseHarness } from './harness.js';

const payload = z.object({ n: z.int() });
const lasting = defineJob({ type: 'lasting', payload, durable: true });
const paid = defineSignal({ name: 'paid', by: ['order'], payload: z.object({ order: z.int() }) });
const single = defineJob({ type: 'single', payload, unique: { by: 'n', while: 'alive' } });
const TERMS = {
  expiresAfter: defineJob({ type: 'brief', payload, expiresAfter: '1m' }),
  retryFor: defineJob({ type: 'patient', payload, retryFor: '1h' }),
  onDead: defineJob({ type: 'mourned', payload, onDead: 'tell_support' }),
} as const;
const hasty = defineJob({ type: 'hasty', payload, maxWait: '1m' });

/** Of a store without `steps`. */
export function stepRefusals(use: UseHarness): void {
  const refused = (asked: string) => ({ code: 'not_supported', facts: { asked, capability: 'steps' } });

  test('where they are missing, the store refuses a worker whose contracts are durable', async () => {
    await expect(use().store.prepare([echo, lasting])).rejects.toMatchObject(refused('durable'));
  });

  test('where they are missing, the store refuses a signal', async () => {
    await expect(use().queue.signal(paid, { order: 7 })).rejects.toMatchObject(refused('signal'));
  });

  test('where they are missing, the store refuses a retry from a step, and the job stays dead', async () => {
    const { id } = await ARRANGE.dead(use());
    await expect(use().queue.retryJob(id, { fromStep: 'pay' })).rejects.toMatchObject(refused('fromStep'));
    expect((await use().queue.getJob(id)).job.status).toBe('dead');
  });
}

/** Of a store without `batches`. */
export function batchRefusals(use: UseHarness): void {
  test('where they are missing, the store refuses a batch, and all about one', async () => {
    const { queue } = use();
    const refused = { code: 'not_supported', facts: { asked: 'batch', capability: 'batches' } };
    const jobs = [jobRequest(echo, { n: 1 })];
    await expect(queue.enqueueBatch({ jobs })).rejects.toMatchObject(refused);
    const id = '018f0000-0000-7000-8000-000000000000';
    await expect(queue.addToBatch(id, jobs)).rejects.toMatchObject(refused);
    await expect(queue.getBatch(id)).rejects.toMatchObject(refused);
    await expect(queue.listBatches()).rejects.toMatchObject(refused);
    await expect(queue.cancelBatch(id)).rejects.toMatchObject(refused);
    expect(await queue.queueDepth()).toEqual([]);
  });
}

/** Of a store without `unique`. */
export function uniqueRefusals(use: UseHarness): void {
  const refused = { code: 'not_supported', facts: { asked: 'unique', capability: 'unique' } };

  test('where such rules are missing, the store refuses a run with one, and all of its batch', async () => {
    const { queue } = use();
    await expect(queue.enqueue(single, { n: 1 })).rejects.toMatchObject(refused);
    await expect(queue.enqueueMany([jobRequest(echo, { n: 1 }), jobRequest(single, { n: 1 })])).rejects.toMatchObject(
      refused,
    );
    expect(await queue.queueDepth()).toEqual([]);
  });

  test('where such rules are missing, the store refuses a worker whose contracts have one', async () => {
    await expect(use().store.prepare([echo, single])).rejects.toMatchObject(refused);
  });
}

/** Of a store without `terms`. */
export function termRefusals(use: UseHarness): void {
  test.each(Object.entries(TERMS))(
    'where they are missing, the store refuses a run that has %s, all of its batch, and a worker with such a contract',
    async (asked, contract) => {
      const { queue, store } = use();
      const refused = { code: 'not_supported', facts: { asked, capability: 'terms' } };
      await expect(queue.enqueue(contract, { n: 1 })).rejects.toMatchObject(refused);
      await expect(
        queue.enqueueMany([jobRequest(echo, { n: 1 }), jobRequest(contract, { n: 1 })]),
      ).rejects.toMatchObject(refused);
      await expect(store.prepare([echo, contract])).rejects.toMatchObject(refused);
      expect(await queue.queueDepth()).toEqual([]);
    },
  );

  test('where they are missing, the store refuses a worker whose contracts may wait for so long only', async () => {
    await expect(use().store.prepare([echo, hasty])).rejects.toMatchObject({
      code: 'not_supported',
      facts: { asked: 'maxWait', capability: 'terms' },
    });
  });
}
