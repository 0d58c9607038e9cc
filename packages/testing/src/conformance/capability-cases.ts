import { defineEvent, defineJob } from '@duework/contracts';
import { describe, expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import { z } from 'zod';
import { echo } from '../fixtures/test-contracts.js';
import { ARRANGE } from './arrange.js';
import type { UseHarness } from './harness.js';
import { listCases } from './list-cases.js';
import { priorityCases } from './priority-cases.js';
import { transactionCases } from './transaction-cases.js';

const told = defineEvent({ name: 'told', payload: z.object({}) });
const hurried = defineJob({ type: 'hurried', payload: z.object({}), priority: 0 });

/** What a store can is proved, and what it cannot is refused. */
export function capabilityCases(use: UseHarness): void {
  test('the store declares its capabilities', () => {
    expect(use().store.capabilities).toEqual(use.can);
  });

  describe('transactions', () => {
    if (use.can.transactional) return transactionCases(use);
    test('where they are missing, the store refuses completeIn and leaves the run as it is', async () => {
      const { store, queue, tx } = use();
      const subject = await ARRANGE.running(use());
      await expect(store.completeIn(tx, { ...subject, result: null })).rejects.toMatchObject({
        code: 'not_supported',
        facts: { asked: 'completeIn', capability: 'transactional' },
      });
      expect((await queue.getJob(subject.id)).job.status).toBe('running');
    });
  });

  describe('lists', () => {
    if (use.can.lists) return listCases(use);
    test('where they are missing, the store refuses findJobs', async () => {
      await expect(use().queue.findJobs()).rejects.toMatchObject({
        code: 'not_supported',
        facts: { asked: 'findJobs', capability: 'lists' },
      });
    });
  });

  if (!use.can.events)
    test('without events, the store refuses publish', async () => {
      await expect(use().queue.publish(told, {})).rejects.toMatchObject({
        code: 'not_supported',
        facts: { asked: 'publish', capability: 'events' },
      });
    });

  describe('priorities', () => {
    if (use.can.priorities) return priorityCases(use);
    test('where they are missing, the store refuses a run with another priority than the default, and all of its batch', async () => {
      const { queue } = use();
      const refused = { code: 'not_supported', facts: { asked: 'priority', capability: 'priorities' } };
      await expect(queue.enqueue(hurried, {})).rejects.toMatchObject(refused);
      await expect(
        queue.enqueueMany([jobRequest(echo, { n: 1 }), jobRequest(echo, { n: 2 }, { priority: 4 })]),
      ).rejects.toMatchObject(refused);
      expect(await queue.queueDepth()).toEqual([]);
      expect(await queue.enqueue(hurried, {}, { priority: 5 })).toMatchObject({ status: 'queued' });
    });
  });
}
