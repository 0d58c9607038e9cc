import { useTestApi } from '@duework/http/testing';
import { sendInvoice, sendReceipt } from '@duework/shop';
import { expect, test } from '@jest/globals';
import { createClient } from './create-client.js';

const api = useTestApi();

test('what has ended is told page by page, with its dates as dates, and behind a stored cursor what ends next', async () => {
  const client = createClient({ url: api.url });
  const end = async (orderId: number): Promise<string> => {
    const { id } = await client.enqueue(sendInvoice, { orderId });
    await client.cancel(id);
    return id;
  };
  let stored = '';
  for await (const { jobs, cursor } of client.readEnded({ after: 'now' })) {
    expect(jobs).toEqual([]);
    stored = cursor;
    break;
  }
  const ids = [await end(1), await end(2)];
  const receipt = { receiptId: 'r1', email: 'ana@example.org', amountCents: 100, currency: 'EUR' } as const;
  await client.cancel((await client.enqueue(sendReceipt, receipt)).id);
  const told: string[] = [];
  for await (const { jobs, cursor } of client.readEnded({
    after: stored,
    types: ['send_invoice'],
    limit: 1,
    everyMs: 10,
  })) {
    for (const job of jobs) {
      told.push(job.id);
      expect(job).toMatchObject({ status: 'cancelled', finishedAt: expect.any(Date) });
    }
    stored = cursor;
    if (told.length === 2) break;
  }
  expect(told).toEqual(ids);
  const next = await end(3);
  for await (const { jobs } of client.readEnded({ after: stored, types: ['send_invoice'], everyMs: 10 })) {
    if (jobs.length === 0) continue;
    expect(jobs.map(({ id }) => id)).toEqual([next]);
    break;
  }
});

test('a signal ends it with its reason, also while nothing ends; a cursor that is none is refused', async () => {
  const client = createClient({ url: api.url });
  const abort = new AbortController();
  const read = async (): Promise<void> => {
    for await (const { cursor } of client.readEnded({ after: 'now', everyMs: 60_000, signal: abort.signal }))
      if (cursor !== '') setImmediate(() => abort.abort(new Error('enough')));
  };
  await expect(read()).rejects.toThrow('enough');
  await expect(client.readEnded({ after: 'x' })[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'invalid_cursor',
  });
});
