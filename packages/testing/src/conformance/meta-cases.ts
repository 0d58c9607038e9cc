import { jobRequest } from '@duework/queue-core';
import { expect, test } from '@jest/globals';
import { charge, echo } from '../fixtures/test-contracts.js';
import { claim, rescueExpired, settle, someError, type Subject, type UseHarness } from './harness.js';

const meta = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', baggage: 'shop=%s,"é"' };

export function metaCases(use: UseHarness): void {
  const metaOf = async (id: string): Promise<unknown> => (await use().queue.getJob(id)).job.meta;

  test('what was enqueued beside the payload is on the run, and its worker gets it with every claim', async () => {
    const { id } = await use().queue.enqueue(echo, { n: 1 }, { meta });
    expect(await metaOf(id)).toEqual(meta);
    const [first] = await claim(use(), 1);
    expect(first).toMatchObject({ id, payload: { n: 1 }, meta });
    await settle(use(), first!, { kind: 'snooze', delayMs: 0, maxSnoozes: 10 });
    expect(await claim(use(), 1)).toMatchObject([{ id, meta }]);
  });

  test('2,048 bytes are kept', async () => {
    const large = { a: 'é'.repeat(1_020) };
    const { id } = await use().queue.enqueue(echo, { n: 1 }, { meta: large });
    expect(await metaOf(id)).toEqual(large);
  });

  test('a run without any has none, and neither has one with an empty object', async () => {
    await use().queue.enqueue(echo, { n: 1 });
    await use().queue.enqueue(echo, { n: 2 }, { meta: {} });
    expect((await claim(use(), 2)).map((run) => run.meta)).toEqual([null, null]);
  });

  test('of a batch each run has its own, or none, or all have the same', async () => {
    const requests = [{ a: '1' }, undefined, { a: '2' }].map((own, n) =>
      jobRequest(echo, { n }, own === undefined ? {} : { meta: own }),
    );
    await use().queue.enqueueMany(requests);
    expect((await claim(use(), 3)).map((run) => run.meta)).toEqual([{ a: '1' }, null, { a: '2' }]);
    await use().queue.enqueueMany([1, 2].map((n) => jobRequest(echo, { n }, { meta })));
    expect((await claim(use(), 2)).map((run) => run.meta)).toEqual([meta, meta]);
  });

  test('of a batch with keys too, and a run that is there already keeps its own', async () => {
    const old = await use().queue.enqueue(charge, { invoice: 1 }, { meta: { a: 'old' } });
    const request = (invoice: number, a: string) => jobRequest(charge, { invoice }, { meta: { a } });
    const jobs = await use().queue.enqueueMany([request(1, 'new'), request(2, 'two'), request(3, 'three')]);
    expect(jobs[0]).toMatchObject({ id: old.id, isDeduplicated: true });
    expect(await Promise.all(jobs.map(({ id }) => metaOf(id)))).toEqual([{ a: 'old' }, { a: 'two' }, { a: 'three' }]);
    const same = await use().queue.enqueueMany([4, 5].map((invoice) => request(invoice, 'same')));
    expect(await Promise.all(same.map(({ id }) => metaOf(id)))).toEqual([{ a: 'same' }, { a: 'same' }]);
  });

  test.each<[string, (run: Subject) => Promise<unknown>]>([
    ['succeeds', (run) => settle(use(), run, { kind: 'complete', result: null })],
    ['dies', (run) => settle(use(), run, { kind: 'bury', error: someError, abort: null })],
    ['is cancelled', (run) => settle(use(), run, { kind: 'confirm_cancel', by: 'ada', reason: null, abort: null })],
  ])('a run that %s keeps it', async (_, end) => {
    const { id } = await use().queue.enqueue(echo, { n: 1 }, { meta });
    const [run] = await claim(use(), 1);
    await end(run!);
    expect((await use().queue.getJob(id)).job).toMatchObject({ meta, finishedAt: expect.any(Date) });
  });

  test('a dead run that is retried has it again', async () => {
    const { id } = await use().queue.enqueue(echo, { n: 1 }, { meta });
    const [run] = await claim(use(), 1);
    await settle(use(), run!, { kind: 'bury', error: someError, abort: null });
    await use().queue.retryJob(id);
    expect(await metaOf(id)).toEqual(meta);
    expect(await claim(use(), 1)).toMatchObject([{ id, meta }]);
  });

  test('a run whose worker was lost has it again', async () => {
    const { id } = await use().queue.enqueue(echo, { n: 1 }, { meta });
    await claim(use(), 1, 'gone');
    expect(await rescueExpired(use())).toMatchObject([{ id, status: 'failed' }]);
    expect(await claim(use(), 1)).toMatchObject([{ id, attempt: 2, meta }]);
  });

  test.each<[string, unknown]>([
    ['a text', 'traceparent'],
    ['an array', ['traceparent']],
    ['a number among its texts', { n: 1 }],
    ['an object among its texts', { a: { b: 'c' } }],
    ['a NUL', { a: '\0' }],
    ['half a surrogate pair in a name', { '\ud800': 'a' }],
    ['more than 2,048 bytes', { a: 'é'.repeat(1_021) }],
  ])('what is no small object of texts is refused, without its value: %s', async (_, wrong) => {
    const refused = use().queue.enqueue(echo, { n: 1 }, { meta: wrong as never });
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringMatching(/^meta must be an object of texts, of at most 2048 bytes as JSON, not [^é]*$/),
    });
    expect(await claim(use(), 1)).toEqual([]);
  });
}
