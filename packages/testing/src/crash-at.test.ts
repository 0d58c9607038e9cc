import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { CRASH_POINTS, type CrashPoint, enqueue, getJob, type Handlers } from '@duework/queue-core';
import { createMemoryQueue } from './memory/create-memory-queue.js';
import { crashAt } from './crash-at.js';
import { createFakeClock } from './create-fake-clock.js';
import { dieAt } from './die-at.js';
import { drain } from './drain.js';
import { useTestDatabase } from './fixtures/use-test-database.js';
import { startTestWorker } from './start-test-worker.js';
import { untilJob } from './fixtures/until-job.js';

const database = useTestDatabase();
const mailer = defineJob({
  type: 'mailer',
  payload: z.object({ to: z.string() }),
  lease: '5s',
  retry: fixed('1s'),
  durable: true,
});
const catalog = defineCatalog([mailer]);

/**
 * What a death at each point leaves: mails sent before it, mails sent by the worker that comes after, and how the run
 * ends. Never two mails; where nobody can know, a person is asked.
 */
const ENDS: {
  readonly [P in (typeof CRASH_POINTS)[number]]: {
    readonly before: number;
    readonly after: number;
    readonly job: object;
    readonly lost: number;
  };
} = {
  'claim.committed': { before: 0, after: 1, job: { status: 'succeeded', attempts: 2 }, lost: 1 },
  'handler.before': { before: 0, after: 1, job: { status: 'succeeded', attempts: 2 }, lost: 1 },
  'effect.before': { before: 0, after: 0, job: { status: 'dead', errorCode: 'effect_unknown' }, lost: 1 },
  'effect.after': { before: 1, after: 0, job: { status: 'dead', errorCode: 'effect_unknown' }, lost: 1 },
  'step.before': { before: 1, after: 0, job: { status: 'succeeded', attempts: 2 }, lost: 1 },
  'step.done': { before: 1, after: 0, job: { status: 'succeeded', attempts: 2 }, lost: 1 },
  'settle.before': { before: 1, after: 0, job: { status: 'succeeded', attempts: 2 }, lost: 1 },
  'settle.committed': { before: 1, after: 0, job: { status: 'succeeded', attempts: 1 }, lost: 0 },
};

/** Handlers that count their mails. */
function countMails(): { sent: () => number; handlers: Handlers<typeof catalog> } {
  let sent = 0;
  return {
    sent: () => sent,
    handlers: {
      async mailer({ once, step }) {
        await once('mail', () => void sent++);
        await step('note', () => 'sent');
      },
    },
  };
}

describe('a worker that dies inside this process', () => {
  test.each(CRASH_POINTS)('at %s is followed by one that does what is left, and no more', async (point) => {
    const clock = createFakeClock();
    const queue = createMemoryQueue({ clock });
    const [first, second] = [countMails(), countMails()];
    const crash = crashAt(point, { store: queue.store, clock });
    const dead = await startTestWorker<typeof catalog>(queue, { catalog, handlers: first.handlers, ...crash.options });
    const { id } = await queue.enqueue(mailer, { to: 'ada' });
    expect(await crash.reached).toMatchObject({ id, attempt: 1 });
    const next = await startTestWorker<typeof catalog>(queue, { catalog, handlers: second.handlers, clock });
    await drain(queue, { events: next.events, clock, untilEmpty: true });
    const { job, attempts } = await queue.getJob(id);
    expect({
      before: first.sent(),
      after: second.sent(),
      job,
      lost: attempts.filter((attempt) => attempt.outcome === 'lost').length,
    }).toMatchObject(ENDS[point]);
    expect(dead.events.named('job.succeeded')).toEqual([]);
    crash.wake();
    await Promise.all([dead.worker.stop({ deadlineMs: 0 }), next.worker.stop({ deadlineMs: 0 })]);
  });

  test('dies the nth time it comes to the point, not before', async () => {
    const clock = createFakeClock();
    const queue = createMemoryQueue({ clock });
    const crash = crashAt('settle.before', { store: queue.store, clock, nth: 3 });
    const { worker, events } = await startTestWorker<typeof catalog>(queue, {
      catalog,
      handlers: countMails().handlers,
      concurrency: 1,
      buffer: 0,
      ...crash.options,
    });
    for (const to of ['ada', 'bob', 'cy', 'dee']) await queue.enqueue(mailer, { to });
    expect((await crash.reached).payload).toEqual({ to: 'cy' });
    expect(events.named('job.succeeded')).toHaveLength(2);
    expect(await queue.queueDepth()).toMatchObject([{ due: 1, running: 1 }]);
    crash.wake();
    await worker.stop({ deadlineMs: 0 });
  });
});

describe('a process that is killed', () => {
  test.each(CRASH_POINTS)('at %s is followed by one that does what is left, and no more', async (point) => {
    const { id } = await enqueue(database.db, mailer, { to: point });
    const said = await dieInChild(point);
    await database.db
      .$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 ms' WHERE id = ${BigInt(id)} AND status = 'running'`;
    const { sent, handlers } = countMails();
    const { worker } = await startTestWorker<typeof catalog>(database.db, {
      catalog,
      handlers,
      maintenance: { rescueIntervalMs: 20 },
    });
    await untilJob(database.db, id);
    await worker.stop({ deadlineMs: 0 });
    const { job, attempts } = await getJob(database.db, id);
    const before = said.filter((line) => line === 'sent').length;
    expect({
      before,
      after: sent(),
      job,
      lost: attempts.filter((attempt) => attempt.outcome === 'lost').length,
    }).toMatchObject(ENDS[point]);
    // it was never told of its own success
    expect(said).not.toContain('told');
  });
});

test('a crash point that does not exist is refused with the ones that do', () => {
  expect(() => dieAt('effect.during')).toThrow(
    '"effect.during" is not a crash point such as "effect.after" or "settle.before:3". Known: claim.committed, handler.before,',
  );
  expect(() => dieAt('effect.after:0')).toThrow('is not a crash point');
});

/** Runs a worker process until it has killed itself; what it said. */
async function dieInChild(point: CrashPoint): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./fixtures/die-at-point.mjs', import.meta.url)), database.url, point],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  return said.split('\n').filter((line) => line !== '');
}
