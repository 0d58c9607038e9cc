import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { DueworkError, jobRequest } from '@duework/queue-core';
import { Redis } from 'ioredis';
import type { ClaimedRun } from '@duework/queue-core/ports';
import { echo } from '@duework/testing/fixtures';
import { createBullmqStore, openBullmqQueue } from './index.js';
import { passTimeInRedis } from './testing/pass-time.js';
import { useRedis } from './testing/use-redis.js';

const redis = useRedis({ appendfsync: 'no' });
const contracts = new Map([['echo', echo]]);

/** Claims on a connection of its own until nothing is due any more, a few at a time. */
async function claimAll(): Promise<ClaimedRun[]> {
  const store = createBullmqStore({ connection: redis.connect() });
  const claimed: ClaimedRun[] = [];
  for (;;) {
    const { runs } = await store.claim({ queue: 'default', contracts, worker: 'w', limit: 3 });
    if (runs.length === 0) return claimed;
    claimed.push(...runs);
  }
}

test('a cancel and a claim of one moment: one comes first, and the other sees it', async () => {
  const queue = openBullmqQueue({ connection: redis.connect() });
  const jobs = await queue.enqueueMany(Array.from({ length: 300 }, (_, n) => jobRequest(echo, { n })));
  const cancelling = Promise.all(jobs.map(({ id }) => queue.cancelJob(id, { by: 'ada' })));
  const [answers, first, second] = await Promise.all([cancelling, claimAll(), claimAll()]);
  const claimed = new Map([...first, ...second].map((run) => [run.id, run]));
  expect(new Set(answers).has('cancelled')).toBe(true);
  for (const [at, { id }] of jobs.entries()) {
    const { job } = await queue.getJob(id);
    expect(job.cancelRequestedBy).toBe('ada');
    if (answers[at] === 'cancelled') expect([job.status, claimed.has(id)]).toEqual(['cancelled', false]);
    // asked in the moment of its claim, a run ends before it begins, or its worker hears of it
    else expect(job.status).toBe(claimed.has(id) ? 'running' : 'cancelled');
  }
});

test('an update and a claim of one moment: a run has the new payload or was claimed with the old one, and none is lost', async () => {
  const queue = openBullmqQueue({ connection: redis.connect() });
  const jobs = await queue.enqueueMany(Array.from({ length: 200 }, (_, n) => jobRequest(echo, { n })));
  const updating = Promise.all(
    jobs.map(({ id }) =>
      queue.updateJob(id, { contract: echo, payload: { n: -1 } }).then(
        () => 'updated',
        (error: unknown) => {
          if (DueworkError.is(error, 'job_is_running')) return 'running';
          throw error;
        },
      ),
    ),
  );
  const [answers, first, second] = await Promise.all([updating, claimAll(), claimAll()]);
  const claimed = new Map([...first, ...second, ...(await claimAll())].map((run) => [run.id, run.payload]));
  expect(claimed.size).toBe(200);
  for (const [n, { id }] of jobs.entries())
    expect([answers[n], claimed.get(id)]).toEqual([answers[n], { n: answers[n] === 'updated' ? -1 : n }]);
});

test('many retries and rescues of one moment bring each run back once', async () => {
  const queue = openBullmqQueue({ connection: redis.connect() });
  const store = createBullmqStore({ connection: redis.connect() });
  await queue.enqueueMany(Array.from({ length: 50 }, (_, n) => jobRequest(echo, { n })));
  const { runs } = await store.claim({
    queue: 'default',
    contracts: new Map([['echo', { ...echo, leaseMs: 1 }]]),
    worker: 'gone',
    limit: 50,
  });
  await passTimeInRedis(redis.connect(), 1_000);
  const rescuers = Array.from({ length: 4 }, () => createBullmqStore({ connection: redis.connect() }));
  const rescued = await Promise.all(rescuers.map((one) => one.rescue(100)));
  expect(
    rescued
      .flat()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(runs.map(({ id }) => id).toSorted());
  const again = await claimAll();
  expect(again.map(({ attempt, fence }) => [attempt, fence])).toEqual(runs.map(() => [2, 2]));
});

test('producers that enqueue one key at once on many connections make one job', async () => {
  const queues = Array.from({ length: 10 }, () => openBullmqQueue({ connection: redis.connect() }));
  const jobs = await Promise.all(
    queues.flatMap((queue) => [1, 2, 3].map((n) => queue.enqueue(echo, { n }, { idempotencyKey: 'the one' }))),
  );
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
  expect(jobs.filter(({ isDeduplicated }) => !isDeduplicated)).toHaveLength(1);
});

/** A connection whose commands arrive one after the other, as over a slow cable: much happens between two of them. */
async function connectSlowly(port: number): Promise<{ connection: Redis; stop(): void }> {
  const server = createServer(async (from) => {
    const to = connect(port, '127.0.0.1');
    to.on('error', () => {}).pipe(from);
    from.on('error', () => {}).on('close', () => to.destroy());
    for await (const chunk of from as AsyncIterable<Buffer>) {
      // a command begins with a star
      for (const command of chunk.toString('latin1').split(/(?=\*\d+\r\n)/)) {
        to.write(command, 'latin1');
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const connection = new Redis((server.address() as AddressInfo).port, '127.0.0.1', { maxRetriesPerRequest: null });
  connection.on('error', () => {});
  return {
    connection,
    stop() {
      connection.disconnect();
      server.close();
    },
  };
}

test('jobs that go from list to list are counted once each, wherever they are at the moment', async () => {
  const slow = await connectSlowly(redis.server.port);
  const queue = openBullmqQueue({ connection: slow.connection });
  await queue.enqueueMany(Array.from({ length: 5 }, (_, n) => jobRequest(echo, { n })));
  let isOver = false;
  // each is due again one millisecond after it has run: from active to delayed, and from there to active
  const work = async (): Promise<number> => {
    const store = createBullmqStore({ connection: redis.connect() });
    for (let rounds = 0; ; rounds++) {
      if (isOver) return rounds;
      const { runs } = await store.claim({ queue: 'default', contracts, worker: 'w', limit: 5 });
      const snooze = { kind: 'snooze', delayMs: 1, maxSnoozes: 1_000_000 } as const;
      await store.settle(runs.map(({ id, fence }) => ({ ...snooze, id, fence })));
    }
  };
  const workers = Array.from({ length: 3 }, work);
  const counts = new Set<number>();
  for (let n = 0; n < 30; n++) {
    const [depth] = await queue.queueDepth();
    const { due, running, scheduled, retrying } = depth ?? { due: 0, running: 0, scheduled: 0, retrying: 0 };
    counts.add(due + running + scheduled + retrying);
  }
  isOver = true;
  for (const rounds of await Promise.all(workers)) expect(rounds).toBeGreaterThan(100);
  slow.stop();
  expect([...counts]).toEqual([5]);
});
