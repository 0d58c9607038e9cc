import { useServedShards } from '@duework/http/testing';
import { sendInvoice } from '@duework/shop';
import { afterEach, expect, test } from '@jest/globals';
import { createClient } from './create-client.js';

const served = useServedShards(['a', 'b']);
afterEach(() => served.api.restore());
const client = () => createClient({ url: served.url, retries: 0 });

/** A job of each shard. */
async function enqueueInBoth(orderId: number): Promise<[string, string]> {
  const ids: string[] = [];
  for (const shard of ['a', 'b'])
    ids.push(
      (
        await served.api.post(`/v1/jobs?shard=${shard}`, {
          type: 'send_invoice',
          payload: { orderId },
          delaySeconds: 60,
        })
      ).id,
    );
  return ids as [string, string];
}

/** The ids of a list of all shards: on a busy machine one may take too long, which the list says. */
async function findIds(filter: string): Promise<string[]> {
  for (;;) {
    const { jobs, problems = [] } = await client().findJobs({ filter });
    if (problems.length === 0) return jobs.map(({ id }) => id);
    for (const { problem } of problems) expect(problem).toBe('too_slow');
  }
}

test('jobs of several databases are enqueued, found, changed and listed by ids that name their shard', async () => {
  const queue = client();
  const job = await queue.enqueue(sendInvoice, { orderId: 1 }, { idempotencyKey: null, delaySeconds: 60 });
  expect(job.id).toMatch(/^[ab]\.\d+$/);
  expect(await queue.getJob(job.id)).toMatchObject({ job: { id: job.id, payload: { orderId: 1 } }, attempts: [] });
  const [first, second] = await enqueueInBoth(2);
  expect(await findIds('payload.orderId:2')).toEqual([second, first]);
  expect(await findIds(`id:${first}`)).toEqual([first]);
  expect(await queue.update(second, { priority: 1 })).toMatchObject({ id: second, priority: 1 });
  expect(await queue.cancel(first)).toBe('cancelled');
  expect(await queue.retry(first)).toMatchObject({ id: first, status: 'queued' });
  await expect(queue.getJob('z.1')).rejects.toMatchObject({ code: 'unknown_shard' });
});

test('a job is followed to its end in its shard', async () => {
  const [, id] = await enqueueInBoth(3);
  const seen: string[] = [];
  for await (const state of client().follow(id)) {
    seen.push(`${state.id} ${state.status}`);
    if (state.status === 'queued') await client().cancel(id);
  }
  expect(seen).toEqual([`${id} queued`, `${id} cancelled`]);
});

test('a shard that is away is named where a job of it is asked for, and lists are of the others', async () => {
  const [first, second] = await enqueueInBoth(4);
  served.api.proxy('b').refuse();
  await expect(client().getJob(second)).rejects.toMatchObject({ code: 'database_away', status: 503 });
  const { jobs, problems } = await client().findJobs({ filter: 'payload.orderId:4' });
  expect(jobs.map(({ id }) => id)).toEqual([first]);
  expect(problems).toEqual([{ shard: 'b', problem: 'database_away' }]);
});
