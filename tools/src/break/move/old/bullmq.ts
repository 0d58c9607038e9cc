import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { waitUntil } from '../../../kit/wait-until.js';
import { DAY_MS, portions, type OldPlace, type Seed, type Standing } from './old-place.js';

const LONG_MS = 1_800_000;
/** The others are written as BullMQ has written these, because a worker would take minutes for them. */
const BY_WORKER = 1_000;
/** BullMQ's scores of what is delayed: a millisecond has room for so many jobs. */
const PER_MS = 4_096;

const keyOf = (name: string | number): string => `bull:mail:${name}`;

/** Writes jobs that are like the first one of a place. */
async function copyFirst(connection: Redis, place: 'delayed' | 'failed', jobs: readonly Seed[]): Promise<void> {
  const [first] = await connection.zrange(keyOf(place), 0, '0');
  const hash = await connection.hgetall(keyOf(first!));
  for (const few of portions(jobs, 1_000)) {
    const last = await connection.incrby(keyOf('id'), few.length);
    const now = Date.now();
    const score = place === 'failed' ? now : (now + DAY_MS) * PER_MS;
    const moments = place === 'failed' ? { timestamp: now, finishedOn: now } : { timestamp: now };
    const pipeline = connection.pipeline();
    for (const [at, data] of few.entries()) {
      const id = last - at;
      pipeline.hset(keyOf(id), { ...hash, ...moments, data: JSON.stringify(data) });
      pipeline.zadd(keyOf(place), score, String(id));
    }
    await pipeline.exec();
  }
}

/** BullMQ in a Redis; `connect` opens a connection that its caller closes. */
export const bullmq = (url: string, connect: () => Redis): OldPlace => ({
  name: 'bullmq',
  url,
  async seed(jobs) {
    const connection = connect();
    // nothing is killed yet
    await connection.config('SET', 'appendfsync', 'no');
    const queue = new Queue<Seed>('mail', { connection });
    const add = async (some: readonly Seed[], opts: object): Promise<void> => {
      for (const few of portions(some, 1_000))
        await queue.addBulk(few.map((data) => ({ name: 'send-mail', data, opts })));
    };
    const of = (state: Seed['state']): readonly Seed[] => jobs.filter((job) => job.state === state);
    // what has failed, has failed in a worker
    const [retry, failed] = [of('retry'), of('failed')];
    await add(retry.slice(0, BY_WORKER), { attempts: 5, backoff: { type: 'fixed', delay: DAY_MS } });
    await add(failed.slice(0, BY_WORKER), {});
    const own = connect();
    const worker = new Worker('mail', () => Promise.reject(new Error('no')), { connection: own, concurrency: 200 });
    await waitUntil('jobs still run', async () => (await queue.getJobCountByTypes('wait', 'active')) === 0, {
      limitMs: LONG_MS,
      everyMs: 500,
    });
    await worker.close();
    own.disconnect();
    await copyFirst(connection, 'delayed', retry.slice(BY_WORKER));
    await copyFirst(connection, 'failed', failed.slice(BY_WORKER));
    await add(of('due'), { attempts: 5 });
    await add(of('later'), { attempts: 5, delay: DAY_MS });
    await connection.config('SET', 'appendfsync', 'always');
    await queue.close();
    connection.disconnect();
  },
  async read() {
    const connection = connect();
    const all: Standing[] = [];
    const note = async (ids: readonly string[], is: Standing['is'], atMs: (at: number) => number): Promise<void> => {
      const datas = await Promise.all(ids.map((id) => connection.hget(keyOf(id), 'data')));
      datas.forEach((data, at) => all.push({ n: (JSON.parse(data!) as Seed).n, is, atMs: atMs(at) }));
    };
    for (const list of ['wait', 'paused'])
      await note(await connection.lrange(keyOf(list), '0', '-1'), 'waiting', () => 0);
    await note(await connection.lrange(keyOf('active'), '0', '-1'), 'running', () => 0);
    await note(await connection.zrange(keyOf('prioritized'), '0', '-1'), 'waiting', () => 0);
    for (const [name, perMs] of [
      ['delayed', PER_MS],
      ['failed', 1],
    ] as const) {
      const placed = await connection.zrange(keyOf(name), '0', '-1', 'WITHSCORES');
      const ids = placed.filter((_, at) => at % 2 === 0);
      const is = name === 'failed' ? 'failed' : 'waiting';
      await note(ids, is, (at) => Math.floor(Number(placed[2 * at + 1]) / perMs));
    }
    connection.disconnect();
    return all;
  },
});
