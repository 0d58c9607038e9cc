/** The application as it was, on BullMQ. */
import { setTimeout as pause } from 'node:timers/promises';
import { FlowProducer, Queue, QueueEvents, UnrecoverableError, Worker, type Job } from 'bullmq';
import type { Outcomes } from './outcomes.js';

interface Data {
  readonly n: number;
}

export async function runOld(redisUrl: string): Promise<Outcomes> {
  const connection = { url: redisUrl, maxRetriesPerRequest: null };
  const queue = new Queue('mail', { connection });
  const events = new QueueEvents('mail', { connection });
  const flows = new FlowProducer({ connection });
  await events.waitUntilReady();
  const ran: number[] = [];
  let startedAt = 0;

  async function work(job: Job<Data>): Promise<unknown> {
    const { n } = job.data;
    switch (job.name) {
      case 'note':
        startedAt = Date.now();
        ran.push(n);
        return n;
      case 'shaky':
        if (job.attemptsMade < 2) throw new Error('the provider is away');
        return job.attemptsMade + 1;
      case 'hopeless':
        throw new UnrecoverableError('no such address');
      case 'square':
        await job.updateProgress({ done: n });
        return n * n;
      case 'sum':
        return Object.values(await job.getChildrenValues<number>()).reduce((sum, value) => sum + value, 0);
      default:
        throw new Error(`Nobody knows ${job.name}.`);
    }
  }

  // before a worker starts, so that what is first is first
  await queue.add('note', { n: 1 }, { priority: 3 });
  await queue.add('note', { n: 2 });
  await queue.add('note', { n: 3 }, { priority: 1 });
  const worker = new Worker('mail', work, {
    connection,
    concurrency: 1,
    settings: { backoffStrategy: (attempt) => attempt * 50 },
  });
  const ended = async (job: Job): Promise<unknown> => job.waitUntilFinished(events, 30_000);
  const add = (name: string, n: number, options = {}): Promise<Job> => queue.add(name, { n }, options);
  await ended(await add('note', 4, { priority: 9 }));
  const order = ran.splice(0);

  const addedAt = Date.now();
  await ended(await add('note', 5, { delay: 400 }));
  const isDelayed = startedAt - addedAt >= 400;

  const far = await add('note', 6, { delay: 3_600_000 });
  await far.updateData({ n: 7 });
  await far.promote();
  await ended(far);
  const changed = ran.at(-1)!;

  const attempts = await ended(await add('shaky', 8, { attempts: 3, backoff: { type: 'custom' } }));
  const hopeless = await add('hopeless', 9, { attempts: 5 });
  const failure = await ended(hopeless).catch((error: Error) => error.message);
  const { attemptsMade } = (await queue.getJob(hopeless.id!))!;

  const once = { deduplication: { id: 'account 7', ttl: 60_000 } };
  const [first, second] = [await add('note', 10, once), await add('note', 11, once)];
  const isDeduplicated = first.id === second.id;
  ran.length = 0;
  const quiet = { deduplication: { id: 'search', ttl: 300, extend: true, replace: true }, delay: 300 };
  for (const n of [12, 13]) await add('note', n, quiet);
  const last = await add('note', 14, quiet);
  await ended(last);
  const debounced = ran.filter((n) => n >= 12);

  const square = (n: number) => ({ name: 'square', queueName: 'mail', data: { n } });
  const { job: sum } = await flows.add({ name: 'sum', queueName: 'mail', children: [square(3), square(4)] });
  const total = await ended(sum);
  const measured = await add('square', 15);
  await ended(measured);
  const { progress } = (await queue.getJob(measured.id!))!;

  await queue.pause();
  ran.length = 0;
  const held = await add('note', 16);
  await pause(500);
  const whilePaused = [...ran];
  await queue.resume();
  await ended(held);

  const callsQueue = new Queue('calls', { connection });
  const calledAt: number[] = [];
  const caller = new Worker('calls', async () => void calledAt.push(Date.now()), {
    connection,
    concurrency: 10,
    limiter: { max: 2, duration: 500 },
  });
  const calledFrom = Date.now();
  await callsQueue.addBulk([18, 19, 20, 21, 22, 23].map((n) => ({ name: n % 2 ? 'ring' : 'call', data: { n } })));
  while (calledAt.length < 6) await pause(20);
  const isLimited = calledAt.at(-1)! - calledFrom >= 1_000;

  const images = new Queue('images', { connection });
  const imageEvents = new QueueEvents('images', { connection });
  await imageEvents.waitUntilReady();
  const painter = new Worker('images', new URL('./old-thumbnail.js', import.meta.url), { connection });
  const crashing = await images.add('thumbnail', { n: 24, side: 0 });
  const crashed = await crashing.waitUntilFinished(imageEvents, 30_000).catch(() => 'failed');
  const painted = await images.add('thumbnail', { n: 25, side: 15 });
  const { pid, ...thumbnail } = await painted.waitUntilFinished(imageEvents, 30_000);
  const { progress: painting } = (await images.getJob(painted.id!))!;

  const rule = { pattern: '0 3 * * *', tz: 'Europe/Vienna' };
  await queue.upsertJobScheduler('nightly', rule, { name: 'note', data: { n: 17 } });
  const nightly = new Date((await queue.getJobScheduler('nightly'))!.next!).toISOString();

  await Promise.all([worker.close(), caller.close(), painter.close()]);
  await Promise.all([queue, callsQueue, images, events, imageEvents, flows].map((one) => one.close()));
  const hopelessly = { failure: failure as string, attempts: attemptsMade };
  return {
    order,
    isDelayed,
    changed,
    attempts,
    hopeless: hopelessly,
    isDeduplicated,
    debounced,
    total,
    progress,
    whilePaused,
    isLimited,
    crashed,
    thumbnail: { ...thumbnail, progress: painting, isElsewhere: pid !== process.pid },
    nightly,
  };
}
