import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { enqueue, getJob } from '@duework/queue-core';
import { effects, plain, useIsolatedWorker } from './testing/use-isolated-worker.js';

const { database, start } = useIsolatedWorker();
const jobOf = async (id: string) => (await getJob(database.db, id)).job;

let dir: string;
let file: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'duework-once-'));
  file = join(dir, 'sent');
});
afterEach(() => rm(dir, { recursive: true }));

/** What the effects have really done. */
const sent = (): Promise<string> => readFile(file, 'utf8').catch(() => '');

test('`once` works from inside a thread, across two attempts', async () => {
  const { events } = await start();
  const { id } = await enqueue(database.db, effects, { act: 'sendThenBreak', file });
  await events.waitFor('job.succeeded');
  expect(await jobOf(id)).toMatchObject({ status: 'succeeded', attempts: 2, result: { id: 'message-1' } });
  expect(await sent()).toBe(`effects:run:${id}:mail false\n`);
});

test.each(['refusedOnce', 'judged', 'late'])(
  'an effect that certainly did not happen is tried again: %s',
  async (name) => {
    const { events } = await start();
    const { id } = await enqueue(database.db, effects, { act: name, file });
    await events.waitFor('job.succeeded');
    expect((await getJob(database.db, id)).attempts).toMatchObject([
      {
        outcome: 'failed',
        errorCode: { refusedOnce: 'ECONNREFUSED', judged: 'unexpected_error', late: 'ECONNRESET' }[name],
      },
    ]);
    expect(await sent()).toBe('sent\n');
  },
);

test('when an effect throws without saying whether it happened, a person must judge it', async () => {
  const { events, logged } = await start();
  const { id } = await enqueue(database.db, effects, { act: 'nobodyKnows', file });
  await events.waitFor('job.dead');
  expect((await logged('caught')).facts).toEqual({ isOwnClass: true, cause: 'ECONNRESET' });
  expect(await jobOf(id)).toMatchObject({ attempts: 1, errorCode: 'effect_unknown', errorType: 'EffectUnknownError' });
});

test.each(['notJson', 'twice'])(
  'an effect that is used against its rules makes the run dead as the handler’s mistake: %s',
  async (name) => {
    const { events } = await start();
    const { id } = await enqueue(database.db, effects, { act: name, file });
    await events.waitFor('job.dead');
    expect(await jobOf(id)).toMatchObject({ attempts: 1, errorCode: 'effect_misused', errorType: 'EffectMisuseError' });
  },
);

test('a thread that lost its lease cannot begin an effect', async () => {
  const { worker, events, logged } = await start({ graceMs: 60_000 });
  const { id } = await enqueue(database.db, effects, { act: 'loseLease', file });
  await logged('started');
  await database.db
    .$executeRaw`UPDATE duework.job_runs SET fence = fence + 1, locked_by = 'another' WHERE id = ${BigInt(id)}`;
  await events.waitFor('lease.lost');
  await worker.stop({ deadlineMs: 60_000 });
  expect(await sent()).toBe('');
  expect(await database.db.jobEffect.count()).toBe(0);
});

describe('when an attempt ends in the middle of an effect, a person must judge it', () => {
  test('after a kill the next attempt finds the open effect and does not send again', async () => {
    const { events, logged, hitLimit } = await start();
    const { id } = await enqueue(database.db, effects, { act: 'sendForever', file });
    await logged('sending');
    hitLimit();
    await events.waitFor('job.dead');
    const { job, attempts } = await getJob(database.db, id);
    expect(attempts).toMatchObject([
      { errorCode: 'timeout', abortStage: 'killed' },
      { errorCode: 'effect_unknown', abortStage: null },
    ]);
    expect(job).toMatchObject({ attempts: 2, errorCode: 'effect_unknown' });
    expect(await sent()).toBe('sent\n');
  });

  test('after an abort that the handler obeyed, no other attempt starts by itself', async () => {
    const { events, logged, hitLimit } = await start({ graceMs: 60_000 });
    const { id } = await enqueue(database.db, effects, { act: 'sendUntilTold', file });
    await logged('sending');
    hitLimit();
    await events.waitFor('job.dead');
    const { job, attempts } = await getJob(database.db, id);
    expect(attempts).toMatchObject([{ errorCode: 'effect_unknown', abortCode: 'timeout', abortStage: 'signalled' }]);
    expect(job).toMatchObject({ attempts: 1, errorCode: 'effect_unknown' });
    expect(await sent()).toBe('sent\n');
  });

  test.each(['time limit', 'shutdown'])('the same holds without isolation, at the abort by %s', async (why) => {
    let tries = 0;
    let sending!: () => void;
    const isSending = new Promise<void>((resolve) => (sending = resolve));
    const { worker, events, hitLimit } = await start({
      graceMs: 60_000,
      handlers: {
        plain: ({ once, signal }) =>
          once('mail', async () => {
            tries++;
            await new Promise((_, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason as Error));
              sending();
            });
          }),
      },
    });
    const { id } = await enqueue(database.db, plain, {});
    await isSending;
    if (why === 'shutdown') await worker.stop({ deadlineMs: 0 });
    else hitLimit();
    await events.waitFor('job.dead');
    expect(await jobOf(id)).toMatchObject({ status: 'dead', attempts: 1, errorCode: 'effect_unknown' });
    expect(tries).toBe(1);
  });
});
