/** What the application did by hand and around its jobs, on BullMQ. */
import { DelayedError, Queue, QueueEvents, Worker, type Job } from 'bullmq';
import { setTimeout as pause } from 'node:timers/promises';
import type { Operated } from './outcomes.js';

export async function operateOld(redisUrl: string): Promise<Operated> {
  const connection = { url: redisUrl, maxRetriesPerRequest: null };
  const queue = new Queue('desk', { connection });
  const events = new QueueEvents('desk', { connection });
  await events.waitUntilReady();
  const ended: string[] = [];
  events.on('completed', ({ jobId }) => ended.push(jobId));

  await queue.add('by_hand', { n: 21 });
  const taker = new Worker<{ n: number }>('desk', null, { connection });
  const taken = (await taker.getNextJob('a token'))!;
  await taken.moveToCompleted(taken.data.n * 2, 'a token', false);
  const { returnvalue: byHand } = (await queue.getJob(taken.id!))!;
  await taker.close();

  let isOpen = false;
  let isFirst = true;
  async function work(job: Job, token?: string): Promise<unknown> {
    if (job.name === 'later' && isFirst) {
      isFirst = false;
      await job.moveToDelayed(Date.now() + 100, token);
      throw new DelayedError();
    }
    if (job.name === 'logged') await job.log('the first step is done');
    if (job.name === 'shut' && !isOpen) throw new Error('it is shut');
    return isOpen;
  }
  const worker = new Worker('desk', work, { connection });
  const later = await queue.add('later', {});
  await later.waitUntilFinished(events, 30_000);
  const { attemptsMade } = (await queue.getJob(later.id!))!;

  const logged = await queue.add('logged', {});
  await logged.waitUntilFinished(events, 30_000);
  const { logs } = await queue.getJobLogs(logged.id!);

  const shut = await queue.add('shut', {});
  await shut.waitUntilFinished(events, 30_000).catch(() => {});
  const { failed: failedBefore } = await queue.getJobCounts('failed');
  isOpen = true;
  await (await queue.getJob(shut.id!))!.retry('failed');
  while (ended.length < 4) await pause(20);
  const retried = (await queue.getJob(shut.id!))!.returnvalue;

  await queue.addBulk([1, 2, 3].map((n) => ({ name: 'later', data: { n }, opts: { delay: 3_600_000 } })));
  const { delayed: before } = await queue.getJobCounts('delayed');
  await queue.drain(true);
  const { delayed: after } = await queue.getJobCounts('delayed');

  await worker.close();
  await Promise.all([queue.close(), events.close()]);
  return {
    byHand,
    chargedForWaiting: attemptsMade,
    logs: logs.length,
    failedBefore: failedBefore!,
    retried,
    ended: ended.length,
    drained: [before!, after!],
  };
}
