/** BullMQ's flows: a chain is a job with a child that has a child, and so on. */
import { type FlowJob, FlowProducer, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Workflows } from '../system.js';
import { EndCount } from './count-ends.js';

const QUEUE = 'flows';
const STEPS = 10;
const AT_ONCE = 100;

const job = (isRoot: boolean, children: FlowJob[] = []): FlowJob => ({
  name: 'step',
  queueName: QUEUE,
  data: { isRoot },
  ...(children.length > 0 && { children }),
});
const chainOf = (steps: number, isRoot = true): FlowJob => job(isRoot, steps === 1 ? [] : [chainOf(steps - 1, false)]);

export async function openWorkflows(url: string): Promise<Workflows> {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const ends = new EndCount();
  const handle = async ({ data }: { readonly data: { readonly isRoot: boolean } }): Promise<void> => {
    if (data.isRoot) ends.end();
  };
  const worker = new Worker(QUEUE, handle, { connection, concurrency: AT_ONCE });
  const flows = new FlowProducer({ connection });
  await worker.waitUntilReady();
  return {
    chains: (count) =>
      ends.until(count, async () => {
        for (let begun = 0; begun < count; begun += AT_ONCE)
          await flows.addBulk(Array.from({ length: Math.min(AT_ONCE, count - begun) }, () => chainOf(STEPS)));
      }),
    fanOut: (children) =>
      ends.until(1, () =>
        flows.add(
          job(
            true,
            Array.from({ length: children }, () => job(false)),
          ),
        ),
      ),
    async stop() {
      await worker.close();
      await flows.close();
      connection.disconnect();
    },
  };
}
