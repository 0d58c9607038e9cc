import { defineCatalog, defineJob, defineSignal, fixed, type JobContract } from '@duework/contracts';
import {
  bury,
  createPostgresStore,
  enqueue,
  openQueue,
  snooze,
  systemClock,
  type Handler,
  type Worker,
} from '@duework/queue-core';
import { crashAt, type EventRecord, startTestWorker } from '@duework/testing';
import { emptyTables, gate, useWorkers, work } from '@duework/testing/fixtures';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Explanation } from './explanation.js';
import { explainJob } from './explain-job.js';

const { database, start: startWorker } = useWorkers();
/** Starts a worker, and waits until the database knows of it. */
const start: typeof startWorker = async (...given) => {
  const started = await startWorker(...given);
  await untilSome('worker_contracts');
  return started;
};
beforeEach(async () => {
  await emptyTables(database.db, 'pauses, worker_contracts, past_workers, figures_minutes, figures_hours');
});

const others: Worker[] = [];
afterEach(async () => {
  await Promise.all(others.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

/** A worker of one other contract. */
async function startOther(
  contract: JobContract,
  { handler = () => {}, queues }: { handler?: () => unknown; queues?: string[] },
): Promise<EventRecord> {
  const { worker, events } = await startTestWorker(database.db, {
    catalog: defineCatalog([contract]),
    handlers: { [contract.type]: handler } as never,
    ...(queues === undefined ? {} : { queues }),
  });
  others.push(worker);
  return events;
}

/** Resolves when a table has a row that a worker writes beside its work. */
async function untilSome(table: 'worker_contracts' | 'figures_minutes'): Promise<void> {
  for (let rows: unknown[] = []; rows.length === 0;)
    rows =
      table === 'worker_contracts'
        ? await database.db.$queryRaw`SELECT 1 AS one FROM duework.worker_contracts LIMIT 1`
        : await database.db.$queryRaw`SELECT 1 AS one FROM duework.figures_minutes WHERE claimed > 0 LIMIT 1`;
}

const explain = (id: string): Promise<Explanation> => explainJob(database.db, id);
const add = async (n = 1): Promise<string> => (await enqueue(database.db, work, { n })).id;

describe('explain of a job that waits', () => {
  test('not_due: until when', async () => {
    await start(() => {});
    const { id, runAt } = await enqueue(database.db, work, { n: 1 }, { delay: '1h' });
    const until = (await openQueue(database.db).getJob(id)).job.runAt;
    expect(until).toEqual(runAt);
    expect(await explain(id)).toEqual({
      id,
      status: 'queued',
      code: 'not_due',
      facts: { until },
      sentence: `It is not due until ${until.toISOString()}.`,
      further: [],
    });
  });

  test('snoozed: until when, and how often', async () => {
    const id = await add();
    const { events } = await start(() => snooze('1h'));
    await events.waitFor('job.snoozed');
    expect(await explain(id)).toMatchObject({
      code: 'snoozed',
      facts: { until: expect.any(Date), snoozes: 1 },
      sentence: expect.stringMatching(/^Its handler asked for later \(the 1st time\): it is not due until 2\S+Z\.$/),
    });
  });

  test('suspended: what its handler waits for, and until when', async () => {
    const paid = defineSignal({ name: 'paid', by: ['n'], payload: z.object({ n: z.int() }) });
    const order = defineJob({ type: 'order', payload: z.object({ n: z.int() }), durable: true });
    const handler: Handler<typeof order> = async ({ waitFor, sleep }) => {
      await Promise.all([waitFor(paid, { where: { n: 7 } }), sleep('1h', { name: 'an hour' })]);
    };
    const events = await startOther(order, { handler: handler as never });
    const { id } = await enqueue(database.db, order, { n: 7 });
    await events.waitFor('job.snoozed');
    const explained = await explain(id);
    expect(explained).toMatchObject({
      code: 'suspended',
      facts: {
        count: 2,
        waits: [
          { step: 'wait for paid', kind: 'signal', of: 'paid', until: null },
          { step: 'an hour', kind: 'time', of: null, until: expect.any(Date) },
        ],
      },
    });
    expect(explained.sentence).toMatch(
      /^Its handler waits for the signal paid \(step "wait for paid"\); and until \S+ \(step "an hour"\)\. It has no slot meanwhile\.$/,
    );
  });

  test('waiting_for_retry: the n-th retry, until when, and because of which error', async () => {
    const call = defineJob({ type: 'call', payload: z.object({}), retry: fixed('1h') });
    const { id } = await enqueue(database.db, call, {});
    const events = await startOther(call, {
      handler: () => Promise.reject(Object.assign(new Error('no answer'), { code: 'ECONNREFUSED' })),
    });
    await events.waitFor('job.failed');
    expect(await explain(id)).toMatchObject({
      status: 'failed',
      code: 'waiting_for_retry',
      facts: { attempts: 1, maxAttempts: 10, errorCode: 'ECONNREFUSED', lastError: 'no answer' },
      sentence: expect.stringMatching(
        /^It waits for its 1st retry until 2\S+Z, because attempt 1 of 10 failed with ECONNREFUSED: no answer\.$/,
      ),
    });
  });

  test('waiting_for_retry: until when its retries may begin at the latest', async () => {
    const call = defineJob({ type: 'call', payload: z.object({}), retry: fixed('1h'), retryFor: '2h' });
    const { id, runAt } = await enqueue(database.db, call, {});
    const events = await startOther(call, { handler: () => Promise.reject(new Error('no answer')) });
    await events.waitFor('job.failed');
    const retryUntil = new Date(runAt.getTime() + 7_200_000);
    expect(await explain(id)).toMatchObject({
      code: 'waiting_for_retry',
      facts: { retryUntil },
      sentence: expect.stringContaining(`no answer. No retry begins after ${retryUntil.toISOString()}.`),
    });
  });

  test('expires: when it is cancelled unless it has started', async () => {
    await start(() => {});
    const options = { delay: '1h', expiresAfter: '1m' } as const;
    const { id, runAt } = await enqueue(database.db, work, { n: 1 }, options);
    const at = new Date(runAt.getTime() + 60_000);
    expect((await explain(id)).further).toEqual([
      {
        code: 'expires',
        facts: { at },
        sentence: `It is cancelled at ${at.toISOString()}, unless it has started by then.`,
      },
    ]);
  });

  test('paused: what, by whom, since when, until when and why; and what else would keep it from running', async () => {
    await start(() => {});
    const queue = openQueue(database.db);
    const until = new Date(Date.UTC(2999, 0, 1));
    const { since } = await queue.pauseQueue('default', { by: 'ana', reason: 'the provider is down', until });
    await queue.pauseType('work');
    const { id } = await enqueue(database.db, work, { n: 1 });
    expect(await explain(id)).toMatchObject({
      code: 'paused',
      facts: { kind: 'queue', name: 'default', since, until, by: 'ana', reason: 'the provider is down' },
      sentence: `The queue default is paused by ana since ${since.toISOString()} until ${until.toISOString()} (the provider is down).`,
      further: [{ code: 'paused', facts: { kind: 'type', name: 'work', by: null, until: null } }],
    });
  });

  test.each([
    ['worker', null, /^No worker is running; none was seen within 30 days\.$/],
    ['type', 'other', /^No running worker knows the type work; none/],
    ['queue', 'elsewhere', /^No running worker that knows work claims from the queue default; none/],
    ['version', 'newer', /^No running worker can read version 1 of work; none/],
  ] as const)('no_worker: none for its %s', async (missing, which, words) => {
    const id = await add();
    const newer = { ...work, oldestVersion: 2, version: 2 };
    const other = defineJob({ type: 'other', payload: z.object({}) });
    if (which !== null) {
      const contract = { other, elsewhere: work, newer }[which];
      await startOther(contract, which === 'elsewhere' ? { queues: ['elsewhere'] } : {});
      await untilSome('worker_contracts');
    }
    expect(await explain(id)).toMatchObject({
      code: 'no_worker',
      facts: { queue: 'default', type: 'work', version: 1, missing, lastWorker: null, lastSeenAt: null },
      sentence: expect.stringMatching(words),
    });
  });

  test('no_worker: says which labels a worker must have that can take it', async () => {
    const video = defineJob({ type: 'video', payload: z.object({}), labels: ['gpu', 'eu'] });
    await startTestWorker(database.db, {
      catalog: defineCatalog([video, work]),
      handlers: { video: () => {}, work: () => {} },
    }).then(({ worker }) => others.push(worker));
    await untilSome('worker_contracts');
    expect(await explain((await enqueue(database.db, video, {})).id)).toMatchObject({
      code: 'no_worker',
      facts: { type: 'video', missing: 'type', labels: ['gpu', 'eu'] },
      sentence: expect.stringMatching(
        /^No running worker knows the type video, which needs one with gpu and eu in its labels; none/,
      ),
    });
  });

  test('no_worker: says which one could take it last, and when it was seen', async () => {
    const { worker } = await start(() => {}, { name: 'last-of-them' });
    await worker.stop({ deadlineMs: 0 });
    const explanation = await explain(await add());
    expect(explanation).toMatchObject({
      code: 'no_worker',
      facts: { missing: 'worker', lastWorker: 'last-of-them', lastSeenAt: expect.any(Date) },
      sentence: expect.stringMatching(/^No worker is running; the last one, last-of-them, was seen 2\S+Z\.$/),
    });
  });

  test('behind: how many others are before it, and about how long that takes at the present rate', async () => {
    const held = gate();
    const { events } = await start(() => held.promise, { concurrency: 1, maintenance: { figuresIntervalMs: 50 } });
    await add();
    await events.waitFor('job.claimed');
    await add(2);
    await add(3);
    const id = await add(4);
    await untilSome('figures_minutes');
    const explanation = await explain(id);
    held.open();
    expect(explanation).toMatchObject({
      code: 'behind',
      facts: { queue: 'default', ahead: 2, isAtLeast: false, perSecond: expect.any(Number), workers: 1 },
      sentence: expect.stringMatching(
        /^It is behind 2 others in the queue default: about \d+ (s|minutes) at the present rate of /,
      ),
    });
    const { aboutSeconds, perSecond } = (explanation as Extract<Explanation, { code: 'behind' }>).facts;
    expect(aboutSeconds).toBeCloseTo(2 / perSecond!);
  });

  test('behind: minutes in which there was little to do do not slow the forecast', async () => {
    const held = gate();
    const { events } = await start(() => held.promise, { concurrency: 1 });
    await add();
    await events.waitFor('job.claimed');
    await add(2);
    const id = await add(3);
    await emptyTables(database.db, 'figures_minutes');
    await database.db.$executeRaw`
      INSERT INTO duework.figures_minutes (at, queue, job_type, claimed)
      SELECT date_trunc('minute', now()) - ago * interval '1 minute', 'default', 'work', claimed
      FROM (VALUES (4, 1), (3, 1), (1, 600), (0, 600)) AS m (ago, claimed)`;
    const { facts } = (await explain(id)) as Extract<Explanation, { code: 'behind' }>;
    held.open();
    // 1,200 within at most two minutes, or 600 within one when another has begun; over all of them it would be less than 5
    expect(facts.perSecond).toBeGreaterThan(9);
  });

  test('behind: the next one is told so, and of many it is said that there are at least as many', async () => {
    const held = gate();
    const { events } = await start(() => held.promise, { concurrency: 1 });
    await add();
    await events.waitFor('job.claimed');
    const next = await add(2);
    expect(await explain(next)).toMatchObject({
      code: 'behind',
      facts: { ahead: 0 },
      sentence: 'It is due, and the next in the queue default: the next free slot takes it.',
    });
    await database.db.$executeRaw`
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
      SELECT 'default', 'work', 1, 5, now() - interval '1 hour', '{"n":1}', 10 FROM generate_series(1, 12000)`;
    expect(await explain(next)).toMatchObject({ code: 'behind', facts: { ahead: 10_000, isAtLeast: true } });
    await database.db.$executeRaw`DELETE FROM duework.job_runs WHERE status <> 'running'`;
    held.open();
  });
});

describe('explain of a job that runs', () => {
  test('leased: by whom until when, and which attempt it is', async () => {
    const held = gate();
    const { events } = await start(() => held.promise, { name: 'busy' });
    const id = await add();
    await events.waitFor('job.claimed');
    const explanation = await explain(id);
    held.open();
    expect(explanation).toMatchObject({
      status: 'running',
      code: 'leased',
      facts: { worker: 'busy', until: expect.any(Date), claimedAt: expect.any(Date), attempt: 1, maxAttempts: 3 },
      sentence: expect.stringMatching(/^It runs: attempt 1 of 3 since 2\S+Z, leased by busy until 2\S+Z\.$/),
    });
  });

  test('cancelling: since when, by whom and why', async () => {
    const held = gate();
    const { events } = await start(() => held.promise, { name: 'busy', graceMs: 60_000 });
    const id = await add();
    await events.waitFor('job.claimed');
    await openQueue(database.db).cancelJob(id, { by: 'ana', reason: 'not needed' });
    const explanation = await explain(id);
    held.open();
    expect(explanation).toMatchObject({
      code: 'cancelling',
      facts: { worker: 'busy', since: expect.any(Date), by: 'ana', reason: 'not needed' },
      sentence: expect.stringMatching(
        /^It runs, and its worker busy was asked to cancel it 2\S+Z by ana \(not needed\)\.$/,
      ),
    });
  });

  test('lease_expired: whose lease ended, and when', async () => {
    const id = await add();
    const crash = crashAt('handler.before', {
      store: createPostgresStore({ db: database.db }),
      clock: systemClock,
    });
    const { worker } = await start(() => {}, { ...crash.options, name: 'dead-one' });
    await crash.reached;
    let explanation = await explain(id);
    while (explanation.code === 'leased') explanation = await explain(id);
    crash.wake();
    await worker.stop({ deadlineMs: 0 });
    expect(explanation).toMatchObject({
      code: 'lease_expired',
      facts: { worker: 'dead-one', since: expect.any(Date), attempt: 1 },
      sentence: expect.stringMatching(
        /^The worker dead-one has not renewed its lease, which ended 2\S+Z: attempt 1 will be /,
      ),
    });
  });
});

describe('explain of a job that is over', () => {
  test('dead: since when, and because of which error', async () => {
    const id = await add();
    const { events } = await start(() => bury('order_missing', 'there is no such order'));
    await events.waitFor('job.dead');
    expect(await explain(id)).toMatchObject({
      status: 'dead',
      code: 'dead',
      facts: {
        attempts: 1,
        maxAttempts: 3,
        errorCode: 'order_missing',
        lastError: 'there is no such order',
        acknowledgedAt: null,
      },
      sentence: expect.stringMatching(
        /^It has been dead since 2\S+Z, because attempt 1 of 3 failed with order_missing: there is no such order\.$/,
      ),
    });
  });

  test('succeeded: when, and at which attempt', async () => {
    const id = await add();
    const { events } = await start(() => {}, { name: 'quick' });
    await events.waitFor('job.succeeded');
    expect(await explain(id)).toMatchObject({
      code: 'succeeded',
      facts: { at: expect.any(Date), worker: 'quick', attempts: 1 },
      sentence: expect.stringMatching(/^It succeeded 2\S+Z, at attempt 1\.$/),
    });
  });

  test('cancelled: when, by whom and why', async () => {
    const id = await add();
    await openQueue(database.db).cancelJob(id, { by: 'ana', reason: 'not needed' });
    expect(await explain(id)).toMatchObject({
      code: 'cancelled',
      facts: { at: expect.any(Date), by: 'ana', reason: 'not needed' },
      sentence: expect.stringMatching(/^It was cancelled 2\S+Z by ana \(not needed\)\.$/),
    });
  });
});

test('a job that is not there, or an id that is none, is refused', async () => {
  await expect(explain('9223372036854775807')).rejects.toMatchObject({ code: 'job_not_found' });
  await expect(explain('x')).rejects.toMatchObject({ code: 'invalid_job_id' });
});
