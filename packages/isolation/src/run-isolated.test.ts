import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { enqueue, enqueueMany, getJob, jobRequest } from '@duework/queue-core';
import { act, bare, oldAct, useIsolatedWorker } from './testing/use-isolated-worker.js';
import { isolated } from './isolated.js';

const { database, start } = useIsolatedWorker();
const jobOf = async (id: string) => (await getJob(database.db, id)).job;

describe('what an isolated handler gets and gives', () => {
  test('it gets today’s payload of a run that was enqueued with an older version', async () => {
    const { events } = await start();
    const { id } = await enqueue(database.db, oldAct, 'tell');
    await events.waitFor('job.succeeded');
    expect(await jobOf(id)).toMatchObject({ version: 1, payload: 'tell', result: { payload: { act: 'tell' } } });
  });

  test('it gets its payload and its run, and its outcome counts as any other', async () => {
    const { events } = await start();
    const [told, none, retried, snoozed, buried] = await enqueueMany(
      database.db,
      ['tell', 'nothing', 'retry', 'snooze', 'bury'].map((name) => jobRequest(act, { act: name }, { meta: { name } })),
    );
    await Promise.all([
      events.waitFor('job.succeeded', 2),
      events.waitFor('job.failed'),
      events.waitFor('job.snoozed'),
      events.waitFor('job.dead'),
    ]);
    expect(await jobOf(told!.id)).toMatchObject({
      status: 'succeeded',
      result: { payload: { act: 'tell' }, run: told!.id, type: 'act', meta: { name: 'tell' }, attempt: 1, fence: 1 },
    });
    expect(await jobOf(none!.id)).toMatchObject({ status: 'succeeded', result: null });
    const { runAt, failedAt, ...failed } = await jobOf(retried!.id);
    expect(failed).toMatchObject({ status: 'failed', lastError: 'the provider is busy' });
    const delayMs = runAt.getTime() - failedAt!.getTime();
    expect(delayMs).toBeGreaterThanOrEqual(7_200_000);
    expect(delayMs).toBeLessThanOrEqual(8_640_000);
    expect(await jobOf(snoozed!.id)).toMatchObject({ status: 'queued', attempts: 0 });
    expect(await jobOf(buried!.id)).toMatchObject({
      status: 'dead',
      errorCode: 'order_missing',
      lastError: 'there is no such order',
    });
  });

  test('its log lines, errors included, are written by the worker', async () => {
    const { events, logged, lines } = await start();
    await enqueue(database.db, act, { act: 'speak' });
    await events.waitFor('job.succeeded');
    const { level, facts } = await logged('a line');
    expect(level).toBe('warn');
    expect(facts).toMatchObject({ n: 1, self: expect.stringContaining('Object [global]') });
    expect(facts['err']).toBeInstanceOf(Error);
    expect(facts['err']).toMatchObject({ name: 'TypeError', message: 'inside' });
    expect(lines).toContainEqual({ level: 'info', facts: { n: 2 }, message: undefined });
    expect((await logged('this progress cannot be stored as JSON and is left out')).level).toBe('warn');
  });

  test('its progress can be read while it runs', async () => {
    await start();
    const { id } = await enqueue(database.db, act, { act: 'report' });
    for (;;) {
      const { status, progress } = await jobOf(id);
      if (status === 'running' && isDeepStrictEqual(progress, { done: 2 })) break;
      expect(['queued', 'running']).toContain(status);
    }
  });

  test('a handler that logs faster than the worker can write waits, and no line is lost', async () => {
    const { events, lines } = await start();
    await enqueue(database.db, act, { act: 'flood' }, { maxAttempts: 1 });
    await Promise.race([events.waitFor('job.succeeded'), events.waitFor('job.dead')]);
    expect(lines.filter(({ message }) => message === 'flood').map(({ facts }) => facts['n'])).toEqual(
      Array.from({ length: 50_000 }, (_, n) => n),
    );
  });

  test('a result that cannot leave its thread is left out, and the work is not repeated', async () => {
    const { events, logged } = await start();
    const { id } = await enqueue(database.db, act, { act: 'symbol' });
    await events.waitFor('job.succeeded');
    expect((await logged('the result of this run cannot leave its thread and is left out')).level).toBe('warn');
    expect(await jobOf(id)).toMatchObject({ status: 'succeeded', result: null, attempts: 1 });
  });

  test('a value that is no outcome is its result, and the work is not repeated', async () => {
    const { events } = await start();
    const { id } = await enqueue(database.db, act, { act: 'number' });
    await events.waitFor('job.succeeded');
    expect(await jobOf(id)).toMatchObject({ status: 'succeeded', result: 42, attempts: 1 });
  });

  test('the worker’s outputs show what it writes to its own', async () => {
    const program = fileURLToPath(new URL('./fixtures/run-one.mjs', import.meta.url));
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, 'print']);
    expect(stdout).toBe('printed 1\nprinted 2\nprinted 3\ndone\n');
    expect(stderr).toContain('printed to stderr\n');
  });
});

describe('how an isolated handler fails', () => {
  test.each([
    ['notFound', { errorCode: 'http_410', errorType: 'RangeError', lastError: 'no such page', attempts: 1 }],
    ['refused', { errorCode: 'ECONNREFUSED', errorType: 'TypeError', lastError: 'fetch failed', attempts: 2 }],
    ['text', { errorCode: 'thrown_value', errorType: 'string', lastError: 'just text', attempts: 2 }],
  ])('an error is classified as it would be in the worker: %s', async (name, expected) => {
    const { events } = await start();
    const { id } = await enqueue(database.db, act, { act: name });
    await events.waitFor('job.dead');
    const { job, attempts } = await getJob(database.db, id);
    expect(job).toMatchObject({ status: 'dead', ...expected });
    if (name === 'notFound') expect(attempts[0]!.errorStack).toContain('act.mjs');
  });

  test('an attempt whose thread exits has failed', async () => {
    const { events } = await start();
    const { id } = await enqueue(database.db, act, { act: 'exit' });
    await events.waitFor('job.dead');
    expect(await jobOf(id)).toMatchObject({
      attempts: 2,
      errorCode: 'thread_exited',
      lastError: expect.stringContaining('code 3'),
    });
  });

  test('an error that nobody caught is the attempt’s error', async () => {
    const { events } = await start();
    const [thrown, rejected] = await enqueueMany(
      database.db,
      ['throwLater', 'rejectLater'].map((name) => jobRequest(act, { act: name })),
    );
    await events.waitFor('job.dead', 2);
    expect(await jobOf(thrown!.id)).toMatchObject({
      attempts: 2,
      errorCode: 'ECONNRESET',
      lastError: 'thrown by a timer',
    });
    expect(await jobOf(rejected!.id)).toMatchObject({
      attempts: 1,
      errorCode: 'http_410',
      lastError: 'rejected by nobody',
    });
  });
});

test('a module that breaks while the worker runs fails its attempts, which are retried: a deploy may mend it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'duework-isolated-'));
  const file = join(dir, 'act.mjs');
  await writeFile(file, 'export default () => {};');
  const { events } = await start({ handlers: { act: isolated(pathToFileURL(file)) } });
  await rm(dir, { recursive: true });
  const { id } = await enqueue(database.db, act, { act: 'complete' });
  await events.waitFor('job.dead');
  const job = await jobOf(id);
  expect(job).toMatchObject({ attempts: 2, errorCode: 'isolated_module_invalid' });
  expect(job.lastError).toContain(`${file}, cannot be loaded`);
});

test('two hundred attempts leave no thread and no process behind', async () => {
  const { worker, events, lines } = await start({ concurrency: 4 });
  const resources = (): string[] =>
    process
      .getActiveResourcesInfo()
      .filter((kind) => kind === 'ProcessWrap' || kind === 'MessagePort' || kind === 'Timeout');
  const before = resources().length;
  await enqueueMany(
    database.db,
    Array.from({ length: 200 }, () => jobRequest(bare, {})),
  );
  await events.waitFor('job.succeeded', 200);
  await worker.stop({ deadlineMs: 60_000 });
  const pids = lines.map(({ facts }) => facts['pid'] as number);
  expect(new Set(pids).size).toBeLessThanOrEqual(4);
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(resources().length).toBeLessThanOrEqual(before);
});
