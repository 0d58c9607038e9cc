/** BullMQ's flows: a chain is a job with a child that has a child, and so on. */
import { importRival } from '../../rivals/import-rival.js';
import type { Workflows } from '../system.js';
import { EndCount } from './count-ends.js';

/** What the benchmark uses of BullMQ 6 and of ioredis 5. */
interface BullMq {
  readonly default: {
    readonly Worker: new (
      name: string,
      handle: (job: { readonly data: { readonly isRoot: boolean } }) => Promise<void>,
      options: object,
    ) => { waitUntilReady(): Promise<unknown>; close(): Promise<void> };
    readonly FlowProducer: new (options: object) => {
      add(flow: Flow): Promise<unknown>;
      addBulk(flows: readonly Flow[]): Promise<unknown>;
      close(): Promise<void>;
    };
  };
}
interface IoRedis {
  readonly default: new (url: string, options: { readonly maxRetriesPerRequest: null }) => { disconnect(): void };
}
interface Flow {
  readonly name: string;
  readonly queueName: string;
  readonly data: { readonly isRoot: boolean };
  readonly children?: readonly Flow[];
}

const QUEUE = 'flows';
const STEPS = 10;
const AT_ONCE = 100;

const job = (isRoot: boolean, children: readonly Flow[] = []): Flow => ({
  name: 'step',
  queueName: QUEUE,
  data: { isRoot },
  ...(children.length > 0 && { children }),
});
const chainOf = (steps: number, isRoot = true): Flow => job(isRoot, steps === 1 ? [] : [chainOf(steps - 1, false)]);

export async function openWorkflows(url: string): Promise<Workflows> {
  const { Worker, FlowProducer } = (await importRival<BullMq>('bullmq')).default;
  const { default: Redis } = await importRival<IoRedis>('ioredis');
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
