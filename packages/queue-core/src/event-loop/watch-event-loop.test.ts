import { defineCatalog, defineJob } from '@duework/contracts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Worker } from '../worker/create-worker.js';
import type { WorkerOptions } from '../worker/worker-options.js';
import { enqueue } from '../enqueue/enqueue.js';
import type { WorkerEvent } from '../events.js';
import type { Handler, JobContext } from '../run/handler.js';
import type { ClaimedRun } from '../ports/runs.js';
import { computeFor, emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { type EventRecord, startTestWorker } from '@duework/testing';
import { OwnedRun } from '../claim/owned-run.js';
import { LoopWatch } from './watch-event-loop.js';

const database = useTestDatabase();
const blocker = defineJob({ type: 'blocker', payload: z.object({}) });
const patient = defineJob({ type: 'patient', payload: z.object({}) });
const catalog = defineCatalog([blocker, patient]);

const workers: Worker[] = [];
beforeEach(async () => {
  await emptyTables(database.db, 'job_runs');
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

async function start(
  handlers: { blocker: Handler<typeof blocker>; patient: Handler<typeof patient> },
  more: Partial<WorkerOptions<typeof catalog>> = {},
): Promise<{ worker: Worker; events: EventRecord }> {
  const started = await startTestWorker<typeof catalog>(database.db, { catalog, handlers, ...more });
  workers.push(started.worker);
  return started;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
/** At once, before the loop has turned. */
const isOpen = (watch: LoopWatch): Promise<boolean> =>
  Promise.race([
    Promise.resolve(watch.whenOff(new AbortController().signal)).then(() => true),
    turn().then(() => false),
  ]);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The first `loop.blocked`, past or to come, that is so; a machine that is busy may make others. */
async function blocked(events: EventRecord, isSo: (event: Extract<WorkerEvent, { name: 'loop.blocked' }>) => boolean) {
  for (let count = 1; ; count++) {
    const event = (await events.waitFor('loop.blocked', count)).at(-1)!;
    if (isSo(event)) return event;
  }
}

test('claiming pauses while the loop is blocked, and the job that blocked it is named', async () => {
  let isOpen = true;
  let openGate = (): void => {};
  let arrive = (): void => {};
  const isAtGate = new Promise<void>((resolve) => (arrive = resolve));
  let claimedMeanwhile: string[] = [];
  const { worker, events } = await start(
    {
      blocker: async () => {
        isOpen = false;
        await isAtGate;
        await enqueue(database.db, patient, {});
        computeFor(300);
        isOpen = true;
        openGate();
        for (let block = 0; block < 4; block++) {
          for (let n = 0; n < 5; n++) await turn();
          computeFor(300);
        }
        claimedMeanwhile = events.named('job.claimed').map(({ run }) => run.type);
      },
      patient: () => {},
      // nothing is claimed from before the job is enqueued until the loop is blocked for the first time
    },
    {
      brake: {
        whenOff: () =>
          isOpen
            ? Promise.resolve()
            : new Promise((resolve) => {
                openGate = resolve;
                arrive();
              }),
      },
    },
  );
  const { id } = await enqueue(database.db, blocker, {});
  await events.waitFor('job.succeeded', 2);
  expect(claimedMeanwhile).toEqual(['blocker']);
  const event = await blocked(events, ({ suspects }) => suspects.some(({ run }) => run.id === id));
  expect(event).toMatchObject({ worker: worker.name, suspects: [{ run: { id, type: 'blocker' } }] });
  expect(event.blockedMs).toBeGreaterThan(200);
  expect(worker.activity().loopDelayMs).toBeGreaterThan(200);
});

test('a job that blocks the loop again is named for certain, whatever else is running', async () => {
  const { events } = await start({
    blocker: async () => {
      await turn();
      computeFor(500);
    },
    patient: ({ signal }) => aborted(signal),
  });
  const waiting = await enqueue(database.db, patient, {});
  await events.waitFor('job.claimed');
  const first = await enqueue(database.db, blocker, {});
  const doubtful = await blocked(events, ({ suspects }) => suspects.some(({ run }) => run.id === first.id));
  expect(doubtful).toMatchObject({ isCertain: false });
  expect(new Set(doubtful.suspects.map(({ run }) => run.id))).toEqual(new Set([first.id, waiting.id]));

  const again = await enqueue(database.db, blocker, {});
  const certain = await blocked(events, ({ suspects }) => suspects.some(({ run }) => run.id === again.id));
  expect(certain).toMatchObject({ suspects: [{ run: { id: again.id } }], isCertain: true });
});

test('a handler that blocks before it first waits is named for certain at once', async () => {
  const { events } = await start({ blocker: () => computeFor(500), patient: ({ signal }) => aborted(signal) });
  await enqueue(database.db, patient, {});
  await events.waitFor('job.claimed');
  const { id } = await enqueue(database.db, blocker, {});
  const event = await blocked(events, ({ suspects }) => suspects.some(({ run }) => run.id === id));
  expect(event).toMatchObject({ suspects: [{ run: { id } }], isCertain: true });
});

test('a handler that its middleware calls twice counts as one, and as none when it has ended', async () => {
  const watch = new LoopWatch({ worker: 'tester', emit: () => {}, maxDelayMs: 50 });
  const [first, second] = ['1', '2'].map((id) => new OwnedRun({ id, fence: 1 } as ClaimedRun, patient, 0)) as [
    OwnedRun,
    OwnedRun,
  ];
  watch.start();
  for (const owned of [first, first, second]) void watch.call(owned, () => {}, { run: owned.run } as JobContext);
  watch.forget(first);
  watch.forget(second);
  computeFor(100);
  expect(await isOpen(watch)).toBe(true);
  watch.stop();
});

test('an event loop that is late without handlers does not keep the worker from claiming', async () => {
  const watch = new LoopWatch({ worker: 'tester', emit: () => {}, maxDelayMs: 50 });
  watch.start();
  computeFor(100);
  expect(await isOpen(watch)).toBe(true);
  watch.stop();
});
