import { EventEmitter, once } from 'node:events';
import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import {
  bury,
  complete,
  type Job,
  type JobAttempt,
  type JobContext,
  type JobQueue,
  jobRequest,
  openQueue,
  type Queryable,
  retry,
  snooze,
  type Store,
} from '@duework/queue-core';
import { drain } from './drain.js';
import { useTestDatabase } from './fixtures/use-test-database.js';
import { startTestWorker } from './start-test-worker.js';
import { untilJob } from './fixtures/until-job.js';
import { createMemoryQueue } from './memory/create-memory-queue.js';

const database = useTestDatabase();

/** What one attempt does; a run's n-th claim does the n-th act of its script. */
const ACTS = {
  complete: () => complete({ sum: 42, of: { two: null } }),
  nothing: () => undefined,
  misfit: () => complete('\0'),
  retry: () => retry('busy', { delay: '1ms' }),
  retry_later: () => retry('come back', { delay: '2h' }),
  snooze: () => snooze('1ms'),
  snooze_later: () => snooze('3h'),
  bury: () => bury('order_missing', 'there is no such order'),
  throw: () => Promise.reject(Object.assign(new Error('broke'), { code: 'ECONNRESET' })),
  throw_text: () => Promise.reject('not even an error'),
  throw_permanent: () => Promise.reject(Object.assign(new TypeError('gone'), { status: 410 })),
} as const;
type Act = keyof typeof ACTS | 'until_told' | 'listen_failed' | 'once_then_throw';

const script = z.object({ acts: z.array(z.string()) });
const options = { payload: script, retry: fixed('1ms'), maxAttempts: 3, lease: '5s' } as const;
const steady = defineJob({ ...options, type: 'steady', idempotencyKey: ({ acts }) => acts.join(' ') });
const hasty = defineJob({ ...options, type: 'hasty', timeout: '30ms' });
const catalog = defineCatalog([steady, hasty]);

const SCRIPTS: readonly (readonly Act[])[] = [
  ['complete'],
  ['nothing'],
  ['misfit'],
  ['retry', 'throw', 'complete'],
  ['throw', 'throw_text', 'throw'],
  ['snooze', 'snooze', 'throw', 'snooze', 'complete'],
  ['bury'],
  ['throw', 'throw_permanent'],
  ['retry', 'retry_later'],
  ['throw', 'snooze_later'],
  ['once_then_throw', 'once_then_throw', 'complete'],
];
const WAITING = new Set<Act>(['retry_later', 'snooze_later']);

/** Runs every script with one worker and tells what the store remembers of it. */
async function runScripts(
  queue: JobQueue,
  source: Queryable | { readonly store: Store },
): Promise<ReturnType<typeof normalise>[]> {
  let letGo = (): void => {};
  const hung = new Promise<void>((resolve) => (letGo = resolve));
  const effects: string[] = [];
  // a run is running from its claim on, which its worker may not have heard of yet
  const waiting = new EventEmitter();
  const untilItWaits = ({ acts }: z.infer<typeof script>): Promise<unknown> => once(waiting, acts.join(' '));
  const act = async ({ payload, run, signal, once: onlyOnce }: JobContext<(typeof catalog)[number]>) => {
    const name = payload.acts[run.fence - 1] as Act;
    if (name === 'listen_failed') return hung;
    if (name === 'until_told') {
      const told = new Promise<void>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
      waiting.emit(payload.acts.join(' '));
      return told;
    }
    if (name !== 'once_then_throw') return ACTS[name]();
    effects.push(String(await onlyOnce('mail', () => ({ id: 'm-1' }))));
    throw new Error('after the mail');
  };
  const { worker, events } = await startTestWorker<typeof catalog>(source, {
    catalog,
    name: 'the worker',
    concurrency: 50,
    random: () => 0.5,
    handlers: { steady: act, hasty: act },
  });
  const jobs = await queue.enqueueMany(SCRIPTS.map((acts) => jobRequest(steady, { acts: [...acts] })));
  const again = await queue.enqueue(steady, { acts: ['complete'] });
  expect(again).toMatchObject({ id: jobs[0]!.id, isDeduplicated: true });
  const late = await queue.enqueueMany(
    [
      ['until_told', 'complete'],
      ['listen_failed', 'complete'],
    ].map((acts) => jobRequest(hasty, { acts })),
  );
  const spent = await queue.enqueue(hasty, { acts: ['until_told'] }, { maxAttempts: 1 });
  const never = await queue.enqueue(steady, { acts: ['nothing', 'never'] }, { delay: '1h', priority: 0 });
  await queue.cancelJob(never.id, { by: 'ada', reason: 'not needed' });
  const toCancel = { acts: ['until_told', 'cancelled'] };
  const [cancelled] = await Promise.all([queue.enqueue(steady, toCancel), untilItWaits(toCancel)]);
  await queue.cancelJob(cancelled.id, { by: 'ada', reason: 'wrong order' });
  const ends = [...jobs.filter((_, index) => !WAITING.has(SCRIPTS[index]!.at(-1)!)), ...late, spent, never, cancelled];
  await Promise.all(ends.map(({ id }) => untilJob(queue, id)));
  await drain(queue, { events });
  const revived = await queue.enqueue(steady, { acts: ['bury', 'nothing'] });
  await untilJob(queue, revived.id);
  await queue.retryJob(revived.id);
  await untilJob(queue, revived.id, { status: 'succeeded' });
  const toRelease = { acts: ['until_told', 'released'] };
  const [released] = await Promise.all([queue.enqueue(steady, toRelease), untilItWaits(toRelease)]);
  letGo();
  await worker.stop({ deadlineMs: 0 });
  expect(effects).toHaveLength(2);
  const all = [...jobs, ...late, spent, never, cancelled, revived, released];
  return Promise.all(all.map(async ({ id }) => normalise(await queue.getJob(id))));
}

/** Without what differs between two runs of the same: ids, moments and stacks. */
function normalise({ job, attempts }: { job: Job; attempts: JobAttempt[] }) {
  const { id: _, ...rest } = job;
  const plain = (row: object): object =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value instanceof Date ? 'a moment' : value]));
  return {
    ...plain(rest),
    status: job.status,
    attempts: job.attempts,
    backoffMs: job.status === 'failed' ? job.runAt.getTime() - job.failedAt!.getTime() : null,
    history: attempts.map((attempt) =>
      plain({ ...attempt, errorStack: attempt.errorStack === null ? null : 'a stack' }),
    ),
  };
}

test('the same worker and handlers give the same history on memory and on PostgreSQL', async () => {
  const memory = createMemoryQueue();
  const [inMemory, inPostgres] = await Promise.all([
    runScripts(memory, memory),
    runScripts(openQueue(database.db), database.db),
  ]);
  expect(inMemory).toEqual(inPostgres);
  // and it is the history that the scripts tell: status, attempts charged, attempts on record
  expect(inMemory.map(({ status, attempts, history }) => `${status} ${attempts} ${history.length}`)).toEqual([
    'succeeded 1 0',
    'succeeded 1 0',
    'succeeded 1 0',
    'succeeded 3 2',
    'dead 3 3',
    'succeeded 2 1',
    'dead 1 1',
    'dead 2 2',
    'failed 2 2',
    'queued 1 1',
    'succeeded 3 2',
    'succeeded 2 1',
    'succeeded 2 1',
    'dead 1 1',
    'cancelled 0 0',
    'cancelled 1 1',
    'succeeded 1 1',
    'queued 0 1',
  ]);
});
