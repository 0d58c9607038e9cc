import { expect, test } from '@jest/globals';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { getJob } from '../queue/operate.js';
import { bury, complete, retry, snooze } from '../settle/outcome.js';
import { useWorkers, work } from '@duework/testing/fixtures';

const { database, start } = useWorkers();

test('a handler that returns nothing has succeeded, and a result is kept with the run', async () => {
  const { events } = await start(({ payload }) => (payload.n === 1 ? complete({ sum: 42 }) : undefined));
  const [one, two] = await enqueueMany(database.db, [jobRequest(work, { n: 1 }), jobRequest(work, { n: 2 })]);
  await events.waitFor('job.succeeded', 2);
  expect((await getJob(database.db, one!.id)).job).toMatchObject({
    status: 'succeeded',
    result: { sum: 42 },
    attempts: 1,
  });
  expect((await getJob(database.db, two!.id)).job).toMatchObject({ status: 'succeeded', result: null });
});

test('a result that cannot be stored does not make the work run again', async () => {
  const { events } = await start(() => complete('\0'));
  const { id } = await enqueue(database.db, work, { n: 1 });
  await events.waitFor('job.succeeded');
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', result: null, attempts: 1 });
});

test('a failure is retried after its backoff, and every failed attempt is on record', async () => {
  const { events } = await start(({ attempt }) => {
    if (attempt < 3) throw Object.assign(new Error(`attempt ${attempt} broke`), { code: 'ECONNRESET' });
  });
  const { id } = await enqueue(database.db, work, { n: 1 });
  await events.waitFor('job.succeeded');
  const { job, attempts } = await getJob(database.db, id);
  expect(job).toMatchObject({
    status: 'succeeded',
    attempts: 3,
    fence: 3,
    lastError: 'attempt 2 broke',
    errorCode: 'ECONNRESET',
  });
  expect(attempts).toMatchObject([
    {
      attempt: 1,
      outcome: 'failed',
      errorMessage: 'attempt 1 broke',
      errorStack: expect.stringContaining('handler-outcome.test'),
    },
    { attempt: 2, outcome: 'failed', errorMessage: 'attempt 2 broke' },
  ]);
});

test('the last failed attempt makes the run dead', async () => {
  const { events } = await start(() => {
    throw new Error('never works');
  });
  const { id } = await enqueue(database.db, work, { n: 1 });
  await events.waitFor('job.dead');
  const { job, attempts } = await getJob(database.db, id);
  expect(job).toMatchObject({ status: 'dead', attempts: 3, lastError: 'never works' });
  expect(attempts.map((attempt) => attempt.outcome)).toEqual(['failed', 'failed', 'failed']);
});

test('a permanent error is not retried', async () => {
  const { events } = await start(() => {
    throw Object.assign(new Error('no such order'), { status: 410 });
  });
  const { id } = await enqueue(database.db, work, { n: 1 });
  await events.waitFor('job.dead');
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'dead', attempts: 1, errorCode: 'http_410' });
});

test('retry, snooze and bury do what they say', async () => {
  const { events } = await start(({ payload, attempt }) => {
    if (payload.n === 1) return attempt === 1 ? retry('the provider is busy', { delay: '2h' }) : complete();
    return payload.n === 2 ? snooze('3h') : bury('order_missing', 'there is no such order');
  });
  const jobs = await enqueueMany(
    database.db,
    [1, 2, 3].map((n) => jobRequest(work, { n })),
  );
  await Promise.all([events.waitFor('job.failed'), events.waitFor('job.snoozed'), events.waitFor('job.dead')]);
  const [retried, snoozed, buried] = await Promise.all(jobs.map(async ({ id }) => (await getJob(database.db, id)).job));
  expect(retried).toMatchObject({ status: 'failed', attempts: 1, lastError: 'the provider is busy' });
  const delayMs = retried!.runAt.getTime() - retried!.failedAt!.getTime();
  expect(delayMs).toBeGreaterThanOrEqual(7_200_000);
  expect(delayMs).toBeLessThanOrEqual(8_640_000);
  expect(snoozed).toMatchObject({ status: 'queued', attempts: 0, lastError: null });
  expect(buried).toMatchObject({
    status: 'dead',
    attempts: 1,
    errorCode: 'order_missing',
    lastError: 'there is no such order',
  });
});

test('a run whose handler always snoozes is dead after maxSnoozes, and says so', async () => {
  const { events } = await start(() => snooze('0s'));
  const { id } = await enqueue(database.db, work, { n: 1 });
  await events.waitFor('job.dead');
  expect(events.named('job.snoozed')).toHaveLength(work.maxSnoozes);
  expect(events.named('job.dead')).toMatchObject([{ run: { id }, error: { code: 'too_many_snoozes' } }]);
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'dead', snoozes: work.maxSnoozes });
});

test('a payload that no longer parses is dead at once, and its handler is never called', async () => {
  let calls = 0;
  const { events } = await start(() => void calls++);
  const { id } = await enqueue(database.db, work, { n: 1 }, { delay: '1h' });
  await database.db
    .$executeRaw`UPDATE duework.job_runs SET payload = '{"n":"one"}', run_at = now() WHERE id = ${BigInt(id)}`;
  await events.waitFor('job.dead');
  expect((await getJob(database.db, id)).job).toMatchObject({
    status: 'dead',
    errorCode: 'invalid_payload',
    attempts: 1,
    lastError: expect.stringContaining('/n'),
  });
  expect(calls).toBe(0);
});
