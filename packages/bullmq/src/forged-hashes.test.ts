import { defineJob, fixed } from '@duework/contracts';
import { complete, jobRequest, type Worker } from '@duework/queue-core';
import { startTestWorker, waitForJob } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createBullmqStore } from './create-bullmq-store.js';
import { openBullmqQueue } from './open-bullmq-queue.js';
import { useRedis } from './outbox/testing/use-redis.js';

const database = useTestDatabase();
const redis = useRedis();
const workers: Worker[] = [];
const ours = () => openBullmqQueue({ connection: redis.redis, prefix: 'bull' });
const mail = defineJob({
  type: 'send_mail',
  queue: 'mail',
  payload: z.object({ to: z.string() }),
  retry: fixed('1ms'),
});

beforeEach(() => redis.redis.flushall());
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

async function work(): Promise<string[]> {
  const ran: string[] = [];
  const { worker } = await startTestWorker(database.db, {
    concurrency: 16,
    store: createBullmqStore({ connection: redis.redis, prefix: 'bull' }),
    catalog: [mail],
    queues: ['mail'],
    handlers: { send_mail: async ({ run }) => (ran.push(run.id), complete()) },
  });
  workers.push(worker);
  return ran;
}

/** A job with other fields than BullMQ writes, first in line. */
async function forge(id: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await redis.queue('mail', { prefix: 'bull' }).add('send_mail', { to: 'ana' }, { jobId: id, lifo: true });
  await redis.redis.hset(`bull:mail:${id}`, fields);
}

const NOTES = { version: 1, key: null, meta: null, createdAtMs: 1, runAtMs: 1 };
const noted = (notes: unknown): string => JSON.stringify({ duework: JSON.stringify(notes) });
const deep = '['.repeat(100_000) + ']'.repeat(100_000);

describe('a job of which a field is not what BullMQ or Duework writes there', () => {
  test.each<[string, Record<string, string>, string]>([
    ['options that are no JSON', { opts: '{' }, 'opts'],
    ['options that are null', { opts: 'null' }, 'opts'],
    ['notes that are no JSON', { opts: '{"duework":"{"}' }, 'opts.duework'],
    ['notes that are null', { opts: '{"duework":null}' }, 'opts.duework'],
    ['notes that are the JSON of null', { opts: '{"duework":"null"}' }, 'opts.duework'],
    ['notes that are no text', { opts: '{"duework":{}}' }, 'opts.duework'],
    ['a version that is none', { opts: noted({ ...NOTES, version: 'x' }) }, 'opts.duework'],
    ['a version beyond all', { opts: noted({ ...NOTES, version: 1e300 }) }, 'opts.duework'],
    ['a key that is none', { opts: noted({ ...NOTES, key: {} }) }, 'opts.duework'],
    ['a meta that is none', { opts: noted({ ...NOTES, meta: '[1]' }) }, 'opts.duework'],
    ['terms that are a list', { opts: noted({ ...NOTES, terms: [] }) }, 'opts.duework'],
    ['an end that is no moment', { opts: noted({ ...NOTES, terms: { expiresAt: 'x' } }) }, 'opts.duework'],
    ['a moment beyond all', { opts: noted({ ...NOTES, runAtMs: 1e300 }) }, 'opts.duework'],
    ['data that is no JSON', { data: '{' }, 'data'],
    ['data nested beyond all', { data: deep }, 'data'],
    ['a progress that is no JSON', { progress: '{' }, 'progress'],
    ['a parent that is no JSON', { parent: '{' }, 'parent'],
  ])('is shown as unreadable and ends dead, and those behind it run: %s', async (_, fields, field) => {
    await forge('forged', fields);
    const sound = await ours().enqueue(mail, { to: 'ben' });
    const facts = { errorCode: 'job_not_readable', lastError: expect.stringContaining(`as ${field} of this job`) };
    expect((await ours().getJob('mail:forged')).job).toMatchObject({ type: 'send_mail', status: 'queued', ...facts });
    const ran = await work();
    await waitForJob(ours(), sound.id, { status: 'succeeded' });
    const job = await waitForJob(ours(), 'mail:forged', { status: 'dead' });
    expect(job).toMatchObject({ ...facts, attempts: 0 });
    expect(JSON.parse(JSON.stringify(job))).toMatchObject({ status: 'dead' });
    expect(ran).toEqual([sound.id]);
  });

  test.each<[string, Record<string, string>, object]>([
    ['stack traces that are no JSON', { stacktrace: '{' }, { maxAttempts: 1 }],
    ['stack traces that are null', { stacktrace: 'null' }, {}],
    ['attempts of ours that are none', { stacktrace: '["{", "{}", "{\\"outcome\\":1}"]' }, {}],
    ['options that are a list', { opts: '[1]' }, { maxAttempts: 1 }],
    ['options that are a number', { opts: '7' }, { maxAttempts: 1 }],
    ['attempts that are a text', { opts: '{"attempts":"x"}' }, { maxAttempts: 1 }],
    ['fewer attempts than one', { opts: '{"attempts":-5}' }, { maxAttempts: 1 }],
    ['numbers that are none', { priority: 'x', timestamp: 'x', attemptsMade: 'x', delay: 'x' }, { priority: 0 }],
    [
      'counts of ours that are none',
      { 'dw:attempts': 'x', 'dw:fence': 'x', 'dw:snoozes': '-1', 'dw:releases': '{}' },
      {},
    ],
    ['moments of ours that are none', { 'dw:runAt': '1e300', 'dw:claimedAt': 'x', 'dw:failedAt': '{}' }, {}],
    ['a status that is none', { 'dw:status': 'x' }, {}],
    ['a returned value that is no JSON', { returnvalue: '{' }, {}],
  ])('runs with what can be read where that is enough: %s', async (_, fields, facts) => {
    await forge('forged', fields);
    const { job, attempts } = await ours().getJob('mail:forged');
    expect(job).toMatchObject({ status: 'queued', errorCode: null, ...facts });
    expect(attempts).toEqual([]);
    expect(() => JSON.stringify(job)).not.toThrow();
    await work();
    expect(await waitForJob(ours(), 'mail:forged', { status: 'succeeded' })).toMatchObject({ attempts: 1 });
  });

  test('is repaired by a payload that a person gives it, and by a retry', async () => {
    await forge('payload', { data: '{' });
    await forge('options', { opts: '{' });
    await ours().updateJob('mail:payload', { contract: mail, payload: { to: 'ana' } });
    await work();
    await waitForJob(ours(), 'mail:payload', { status: 'succeeded' });
    await waitForJob(ours(), 'mail:options', { status: 'dead' });
    await ours().retryJob('mail:options');
    await waitForJob(ours(), 'mail:options', { status: 'succeeded' });
  });

  test('of a type that a worker does not know stays for those that know it', async () => {
    await redis.queue('mail', { prefix: 'bull' }).add('print', {}, { jobId: 'other' });
    await redis.redis.hset('bull:mail:other', { opts: '{' });
    const sound = await ours().enqueue(mail, { to: 'ben' });
    await work();
    await waitForJob(ours(), sound.id, { status: 'succeeded' });
    expect((await ours().getJob('mail:other')).job).toMatchObject({ type: 'print', status: 'queued' });
  });

  test('is fetched beside a completion, too, and the completion counts', async () => {
    const jobs = await ours().enqueueMany(Array.from({ length: 60 }, () => jobRequest(mail, { to: 'ben' })));
    const forged = jobs.filter((_, n) => n % 12 === 7).map(({ id }) => id);
    for (const id of forged) await redis.redis.hset(`bull:${id}`, { opts: '{' });
    const ran = await work();
    for (const { id } of jobs) {
      const { status, attempts } = await waitForJob(ours(), id);
      expect({ id, status, attempts }).toEqual(
        forged.includes(id) ? { id, status: 'dead', attempts: 0 } : { id, status: 'succeeded', attempts: 1 },
      );
    }
    expect(ran.toSorted()).toEqual(
      jobs
        .map(({ id }) => id)
        .filter((id) => !forged.includes(id))
        .toSorted(),
    );
  });
});
