import { setTimeout as delay } from 'node:timers/promises';
import { createContext, runInContext } from 'node:vm';
import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { getJob } from '../queue/operate.js';
import type { Worker } from '../worker/create-worker.js';
import type { Handler } from './handler.js';

const database = useTestDatabase();
const options = { payload: z.object({}), retry: fixed('1ms'), maxAttempts: 4 } as const;
const mail = defineJob({ type: 'mail', ...options });
const strict = defineJob({ type: 'strict', ...options, result: z.object({ messageId: z.string() }) });
const catalog = defineCatalog([mail, strict]);

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

/** Runs one job of each contract given with a handler that has sent its mail and returns this. */
async function send(value: unknown, ...contracts: (typeof mail | typeof strict)[]) {
  let sent = 0;
  const warnings: object[] = [];
  const handler = (async () => {
    sent++;
    await delay(1);
    return value;
  }) as unknown as Handler;
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { mail: handler as Handler<typeof mail>, strict: handler as unknown as Handler<typeof strict> },
    logOf: ({ type }) => ({
      debug() {},
      info() {},
      error() {},
      warn: (facts) => void warnings.push({ type, ...facts }),
    }),
  });
  workers.push(worker);
  const jobs = [];
  for (const contract of contracts) {
    const { id } = await enqueue(database.db, contract as typeof mail, {});
    await events.waitFor('job.succeeded', jobs.length + 1);
    jobs.push((await getJob(database.db, id)).job);
  }
  return { sent, jobs, warnings };
}

const circular: { self?: unknown } = {};
circular.self = circular;
const refuse = (): never => {
  throw new Error('do not look');
};
const hostile = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : refuse()), ownKeys: refuse });
class Reply {
  readonly at = new Date();
}

test.each<[string, unknown, unknown]>([
  [
    'what a mailer returns',
    { accepted: ['a@b.c'], messageId: '<1@b.c>' },
    { accepted: ['a@b.c'], messageId: '<1@b.c>' },
  ],
  ['a field named kind', { kind: 'calendar#event', id: 7 }, { kind: 'calendar#event', id: 7 }],
  ['a text', 'sent', 'sent'],
  ['true', true, true],
  ['a list', [1, 2], [1, 2]],
  ['an object of another realm', runInContext('({ ok: true })', createContext()), { ok: true }],
  ['an instance of a class', new Reply(), null],
  ['a response', new Response('ok'), null],
  ['a circular object', circular, null],
  ['a function', () => {}, null],
  ['a bigint', 7n, null],
  ['a symbol', Symbol('sent'), null],
  ['a proxy that throws', hostile, null],
])('a handler that returns %s has done its work, once', async (_, value, result) => {
  const { sent, jobs, warnings } = await send(value, mail, mail);
  expect(sent).toBe(2);
  expect(jobs).toMatchObject([
    { status: 'succeeded', attempts: 1, result },
    { status: 'succeeded', attempts: 1, result },
  ]);
  expect(warnings).toHaveLength(result === null ? 1 : 0);
});

test('a value that does not fit the declared result is left out, with a warning each time, and not tried again', async () => {
  const { sent, jobs, warnings } = await send({ messageId: 7 }, strict, strict);
  expect(sent).toBe(2);
  expect(jobs).toMatchObject([
    { status: 'succeeded', result: null },
    { status: 'succeeded', result: null },
  ]);
  const told = { type: 'strict', error: expect.stringContaining('/messageId') };
  expect(warnings).toEqual([told, told]);
});

test('a value that fits the declared result is the result', async () => {
  const { jobs } = await send({ messageId: '<1@b.c>' }, strict);
  expect(jobs).toMatchObject([{ status: 'succeeded', result: { messageId: '<1@b.c>' } }]);
});
