import { deadJob, defineCatalog, defineJob } from '@duework/contracts';
import { beforeEach, expect, test } from '@jest/globals';
import { claim, rescueExpired, settle, someError, type UseHarness } from './harness.js';
import { z } from 'zod';

const payload = z.object({ n: z.int() });
const mourned = defineJob({ type: 'echo', payload, onDead: 'tell_support', maxAttempts: 1 });
const support = defineJob({ type: 'tell_support', payload: deadJob, onDead: 'tell_boss' });
const boss = defineJob({ type: 'tell_boss', payload: deadJob });
const charge = defineJob({
  type: 'secret_charge',
  payload: z.object({ iban: z.string(), n: z.int() }),
  sensitive: ['/iban'],
  onDead: support,
});
const bulky = defineJob({ type: 'bulky', payload: z.object({ text: z.string() }), onDead: support });
const told = new Map([support, boss, charge, bulky].map((contract) => [contract.type, contract]));

export function deathCases(use: UseHarness): void {
  const bury = { kind: 'bury', error: someError, abort: null } as const;
  const claimTold = async () =>
    (await use().store.claim({ queue: 'default', contracts: told, worker: 'w', limit: 10 })).runs;
  beforeEach(() => use().store.prepare(defineCatalog([mourned, support, boss, charge, bulky])));

  test('the type that a contract names is told of a buried run, with what made it dead', async () => {
    const { id } = await use().queue.enqueue(mourned, { n: 7 }, { meta: { from: 'a test' } });
    const [run] = await claim(use(), 1);
    await settle(use(), run!, bury);
    expect(await claimTold()).toMatchObject([
      {
        type: 'tell_support',
        payload: {
          jobId: id,
          type: 'echo',
          payload: { n: 7 },
          errorCode: 'boom',
          error: someError.message,
          attempts: 1,
          meta: { from: 'a test' },
        },
      },
    ]);
  });

  test('it is told of a run that has snoozed too often, and of one whose workers crashed too often', async () => {
    const { queue } = use();
    await queue.enqueue(mourned, { n: 1 });
    const [snoozing] = await claim(use(), 1);
    expect(await settle(use(), snoozing!, { kind: 'snooze', delayMs: 0, maxSnoozes: 0 })).toBe('dead');
    await queue.enqueue(mourned, { n: 2 });
    await claim(use(), 1);
    expect(await rescueExpired(use())).toMatchObject([{ status: 'dead' }]);
    const runs = (await claimTold()).map((run) => run.payload as { errorCode: string });
    expect(runs.map(({ errorCode }) => errorCode)).toEqual(['too_many_snoozes', 'worker_lost']);
  });

  test('nobody is told of a run that succeeds, waits for a retry, or is cancelled', async () => {
    const { queue } = use();
    await queue.enqueueMany([1, 2].map((n) => ({ contract: mourned, payload: { n }, options: { maxAttempts: 2 } })));
    const { id } = await queue.enqueue(mourned, { n: 3 }, { delay: '1h' });
    const [first, second] = await claim(use(), 2);
    await settle(use(), first!, { kind: 'complete', result: null });
    await settle(use(), second!, { kind: 'fail', error: someError, abort: null, delayMs: 60_000 });
    await queue.cancelJob(id);
    expect(await claimTold()).toEqual([]);
  });

  test('a run that a person retries, and that dies again, tells of it again', async () => {
    const { id } = await use().queue.enqueue(mourned, { n: 1 });
    const [run] = await claim(use(), 1);
    await settle(use(), run!, bury);
    // the answer to the settlement was lost, and it is sent again
    expect(await settle(use(), run!, bury)).toBeNull();
    expect(await claimTold()).toMatchObject([{ payload: { jobId: id } }]);
    await use().queue.retryJob(id);
    const [again] = await claim(use(), 1);
    await settle(use(), again!, bury);
    expect(await claimTold()).toMatchObject([{ payload: { jobId: id } }]);
  });

  test('what tells of a death tells nobody of its own', async () => {
    await use().queue.enqueue(mourned, { n: 1 });
    const [run] = await claim(use(), 1);
    await settle(use(), run!, bury);
    const [teller] = await claimTold();
    await settle(use(), teller!, bury);
    expect(await claimTold()).toEqual([]);
    // enqueued by a person, it does
    await use().queue.enqueue(support, { jobId: '1', type: 'a', errorCode: 'b', error: 'c', attempts: 1, meta: null });
    const [byHand] = await claimTold();
    await settle(use(), byHand!, bury);
    expect(await claimTold()).toMatchObject([{ type: 'tell_boss' }]);
  });

  test('a payload with something sensitive stays out, and so does one of more than 48 KiB', async () => {
    const { queue } = use();
    await queue.enqueue(charge, { iban: 'DE02', n: 1 });
    await queue.enqueue(bulky, { text: 'x'.repeat(50_000) });
    for (const run of await claimTold()) await settle(use(), run, bury);
    const payloads = (await claimTold()).map((run) => run.payload);
    expect(payloads).toMatchObject([{ type: 'secret_charge' }, { type: 'bulky' }]);
    for (const one of payloads) expect(one).not.toHaveProperty('payload');
    expect(JSON.stringify(payloads)).not.toContain('DE02');
  });

  test('a run dies whether or not somebody can be told', async () => {
    const nobody = defineJob({ type: 'echo', payload, onDead: 'nobody_knows_it' });
    await use().queue.enqueue(nobody, { n: 1 });
    const [run] = await claim(use(), 1);
    expect(await settle(use(), run!, bury)).toBe('dead');
  });
}
