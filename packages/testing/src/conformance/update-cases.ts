import { expect, test } from '@jest/globals';
import { charge, echo } from '../fixtures/test-contracts.js';
import { ARRANGE } from './arrange.js';
import { claim, numbersOf, settle, someError, type UseHarness } from './harness.js';

export function updateCases(use: UseHarness): void {
  test('a run that waits gets another payload, moment, priority and number of attempts; the rest stays', async () => {
    const { queue } = use();
    const { id } = await queue.enqueue(echo, { n: 1 }, { idempotencyKey: 'one' });
    const { job: before } = await queue.getJob(id);
    const runAt = new Date('2999-01-31T09:00:00.000Z');
    await queue.updateJob(id, { contract: echo, payload: { n: 2 }, runAt, maxAttempts: 3 });
    expect((await queue.getJob(id)).job).toEqual({ ...before, payload: { n: 2 }, runAt, maxAttempts: 3 });
    expect(await claim(use(), 10)).toEqual([]);
    await queue.updateJob(id, { delay: '0s' });
    expect(await claim(use(), 10)).toMatchObject([{ id, payload: { n: 2 }, maxAttempts: 3, fence: 1 }]);
  });

  test('a run whose priority is raised overtakes', async () => {
    const { queue } = use();
    if (!use.can.priorities)
      return expect(queue.updateJob(use().ids.unknown, { priority: 0 })).rejects.toMatchObject({
        code: 'not_supported',
      });
    await queue.enqueue(echo, { n: 1 });
    const { id } = await queue.enqueue(echo, { n: 2 });
    await queue.updateJob(id, { priority: 0 });
    expect(numbersOf(await claim(use(), 10))).toEqual([2, 1]);
  });

  test('a run that waits for its retry keeps its error, its attempts and its status', async () => {
    const { queue } = use();
    const { id } = await ARRANGE.failed(use());
    await queue.updateJob(id, { contract: echo, payload: { n: 5 }, delay: '0s' });
    const { job } = await queue.getJob(id);
    expect(job).toMatchObject({ status: 'failed', attempts: 1, errorCode: 'boom', payload: { n: 5 } });
    expect(await claim(use(), 1)).toMatchObject([{ id, attempt: 2, payload: { n: 5 } }]);
  });

  test('a payload that does not fit its contract, or is of another type, changes nothing', async () => {
    const { queue } = use();
    const { id } = await queue.enqueue(echo, { n: 1 });
    const before = await queue.getJob(id);
    const refused = (change: object): Promise<void> => queue.updateJob(id, change);
    await expect(refused({ contract: echo, payload: { n: 'one' } })).rejects.toMatchObject({ code: 'invalid_payload' });
    await expect(refused({ contract: charge, payload: { invoice: 1 } })).rejects.toMatchObject({
      code: 'wrong_job_type',
      facts: { id, type: 'echo', expected: 'charge' },
    });
    expect(await queue.getJob(id)).toEqual(before);
  });

  test.each<[string, object, string]>([
    ['nothing', {}, 'change'],
    ['a payload without its contract', { payload: { n: 1 } }, 'payload'],
    ['a moment and a delay', { runAt: new Date(), delay: '1s' }, 'delay'],
    ['a priority that there is not', { priority: 10 }, 'priority'],
    ['no duration', { delay: 'soon' }, 'delay'],
    ['an invalid moment', { runAt: new Date('x') }, 'runAt'],
  ])('%s is refused', async (_, change, option) => {
    const { id } = await ARRANGE.queued(use());
    await expect(use().queue.updateJob(id, change)).rejects.toMatchObject({
      code: 'invalid_option',
      facts: { option },
    });
  });

  test('as many attempts as it has spent are refused, because it could not run again', async () => {
    const { queue } = use();
    const { id } = await ARRANGE.failed(use());
    await expect(queue.updateJob(id, { maxAttempts: 1 })).rejects.toMatchObject({
      code: 'invalid_option',
      facts: { option: 'maxAttempts', value: 1 },
    });
    await queue.updateJob(id, { maxAttempts: 2 });
    expect((await queue.getJob(id)).job).toMatchObject({ status: 'failed', maxAttempts: 2 });
  });

  test('a run that runs, one that is over and one that is not there are told apart', async () => {
    const { queue } = use();
    const running = await ARRANGE.running(use());
    const change = { delay: '0s' } as const;
    await expect(queue.updateJob(running.id, change)).rejects.toMatchObject({ code: 'job_is_running' });
    await settle(use(), running, { kind: 'bury', error: someError, abort: null });
    await expect(queue.updateJob(running.id, change)).rejects.toMatchObject({
      code: 'job_is_over',
      facts: { id: running.id, status: 'dead' },
    });
    await expect(queue.updateJob(use().ids.unknown, change)).rejects.toMatchObject({ code: 'job_not_found' });
  });
}
