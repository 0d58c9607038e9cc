import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { waitUntil } from '../../../kit/wait-until.js';
import { DAY_MS, portions, type OldPlace, type Seed, type Standing } from './old-place.js';

const LONG_MS = 1_800_000;
/** BullMQ's scores of what is delayed: a millisecond has room for so many jobs. */
const PER_MS = 4_096;

/** BullMQ in a Redis; `connect` opens a connection that its caller closes. */
export const bullmq = (url: string, connect: () => Redis): OldPlace => ({
  name: 'bullmq',
  url,
  async seed(jobs) {
    const connection = connect();
    const queue = new Queue<Seed>('mail', { connection });
    const add = async (some: readonly Seed[], opts: object): Promise<void> => {
      for (const few of portions(some, 1_000))
        await queue.addBulk(few.map((data) => ({ name: 'send-mail', data, opts })));
    };
    const of = (state: Seed['state']): readonly Seed[] => jobs.filter((job) => job.state === state);
    // what has failed, has failed in a worker
    await add(of('retry'), { attempts: 5, backoff: { type: 'fixed', delay: DAY_MS } });
    await add(of('failed'), {});
    const own = connect();
    const worker = new Worker('mail', () => Promise.reject(new Error('no')), { connection: own, concurrency: 200 });
    await waitUntil('jobs still run', async () => (await queue.getJobCountByTypes('wait', 'active')) === 0, {
      limitMs: LONG_MS,
      everyMs: 500,
    });
    await worker.close();
    own.disconnect();
    await add(of('due'), { attempts: 5 });
    await add(of('later'), { attempts: 5, delay: DAY_MS });
    await queue.close();
    connection.disconnect();
  },
  async read() {
    const connection = connect();
    const key = (name: string): string => `bull:mail:${name}`;
    const all: Standing[] = [];
    const note = async (ids: readonly string[], is: Standing['is'], atMs: (at: number) => number): Promise<void> => {
      const datas = await Promise.all(ids.map((id) => connection.hget(key(id), 'data')));
      datas.forEach((data, at) => all.push({ n: (JSON.parse(data!) as Seed).n, is, atMs: atMs(at) }));
    };
    for (const list of ['wait', 'paused'])
      await note(await connection.lrange(key(list), '0', '-1'), 'waiting', () => 0);
    await note(await connection.lrange(key('active'), '0', '-1'), 'running', () => 0);
    await note(await connection.zrange(key('prioritized'), '0', '-1'), 'waiting', () => 0);
    for (const [name, perMs] of [
      ['delayed', PER_MS],
      ['failed', 1],
    ] as const) {
      const placed = await connection.zrange(key(name), '0', '-1', 'WITHSCORES');
      const ids = placed.filter((_, at) => at % 2 === 0);
      const is = name === 'failed' ? 'failed' : 'waiting';
      await note(ids, is, (at) => Math.floor(Number(placed[2 * at + 1]) / perMs));
    }
    connection.disconnect();
    return all;
  },
});
