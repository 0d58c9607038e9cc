import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { jobRequest, type JobQueue } from '@duework/queue-core';
import { openBullmqQueue } from './index.js';
import { receipt } from './testing/receipts.js';
import { useRedis } from './testing/use-redis.js';

const redis = useRedis();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A worker in a process of its own; `mails` are the numbers of the receipts that have left it. */
function startMailer(name: string, hangsAfter: number) {
  const program = fileURLToPath(new URL('testing/send-receipts.mjs', import.meta.url));
  const args = [program, String(redis.server.port), name, String(hangsAfter)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const mails: number[] = [];
  const watchers = new Set<() => void>();
  createInterface(child.stdout).on('line', (line) => {
    mails.push(Number(line));
    for (const look of watchers) look();
  });
  const until = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => void (mails.length >= count && resolve());
      watchers.add(look);
      look();
    });
  return { child, mails, until };
}

async function untilNoneIsLive(queue: JobQueue): Promise<void> {
  while ((await queue.queueDepth()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('the job of a worker that is killed is rescued, and done once', async () => {
  const queue = openBullmqQueue({ connection: redis.connect() });
  const { id } = await queue.enqueue(receipt, { n: 1 });
  const first = startMailer('first', 0);
  await first.until(1);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  expect((await queue.getJob(id)).job).toMatchObject({ status: 'running', worker: 'first' });
  const second = startMailer('second', Infinity);
  await untilNoneIsLive(queue);
  // whether the mail had left nobody knows, so a person is asked
  const { job, attempts } = await queue.getJob(id);
  expect(job).toMatchObject({ status: 'dead', errorCode: 'effect_unknown' });
  expect(attempts).toMatchObject([
    { worker: 'first', outcome: 'lost' },
    { worker: 'second', outcome: 'failed' },
  ]);
  await queue.retryJob(id, { effectsHappened: true });
  await untilNoneIsLive(queue);
  expect((await queue.getJob(id)).job.status).toBe('succeeded');
  expect([...first.mails, ...second.mails]).toEqual([1]);
});

test('of a hundred receipts each is mailed once, while one worker after the other is killed', async () => {
  const queue = openBullmqQueue({ connection: redis.connect() });
  const numbers = Array.from({ length: 100 }, (_, n) => n);
  const jobs = await queue.enqueueMany(numbers.map((n) => jobRequest(receipt, { n })));
  const mails: number[] = [];
  const hung: number[] = [];
  for (const name of ['first', 'second']) {
    const mailer = startMailer(name, 25);
    // all of its five handlers hang
    await mailer.until(30);
    mailer.child.kill('SIGKILL');
    await once(mailer.child, 'exit');
    mails.push(...mailer.mails);
    hung.push(...mailer.mails.slice(25));
  }
  const last = startMailer('last', Infinity);
  const decided: string[] = [];
  // more than the ten that hung, if the machine stops the last worker for longer than its lease
  for (;;) {
    await untilNoneIsLive(queue);
    const { jobs: dead } = await queue.findJobs({ status: 'dead', limit: 200 });
    if (dead.length === 0) break;
    expect(new Set(dead.map(({ errorCode }) => errorCode))).toEqual(new Set(['effect_unknown']));
    for (const { id } of dead) await queue.retryJob(id, { effectsHappened: true });
    decided.push(...dead.map(({ id }) => id));
  }
  expect(decided).toEqual(expect.arrayContaining(hung.map((n) => jobs[n]!.id)));
  expect([...mails, ...last.mails].toSorted((left, right) => left - right)).toEqual(numbers);
  for (const { id } of jobs) expect((await queue.getJob(id)).job.status).toBe('succeeded');
});
