import {
  bury,
  cancelJob,
  createPostgresStore,
  enqueue,
  getJob,
  type Handler,
  type JobContext,
  retry,
  retryJob,
  snooze,
} from '@duework/queue-core';
import { emptyTables } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { brief, catalog, pay, useTracedWorkers } from './testing/use-traced-workers.js';
import type { ReceivedSpan } from './testing/start-collector.js';
import { useTelemetry } from './testing/use-telemetry.js';

const telemetry = useTelemetry();
const { database, start } = useTracedWorkers();

const IBAN = 'DE89370400440532013000';
const EMAIL = 'ada@lovelace.example';
const payload = { orderId: 1, iban: IBAN, email: EMAIL };
const attempts = async (): Promise<ReceivedSpan[]> =>
  (await telemetry.spans()).filter(({ name }) => name.startsWith('process'));

// what a test leaves to be tried again would be an attempt of the next one
beforeEach(() => emptyTables(database.db, 'job_runs'));

describe('every attempt of a job is linked to its enqueue', () => {
  test('when it is tried again, when it has died and an operator retries it, and when its worker was lost', async () => {
    let isBroken = true;
    const { id } = await enqueue(database.db, pay, payload);
    const store = createPostgresStore({ db: database.db });
    const contracts = new Map([['pay', { oldestVersion: 1, version: 1, leaseMs: 1 }]]);
    expect((await store.claim({ queue: 'default', contracts, worker: 'gone', limit: 1 })).runs).toHaveLength(1);
    while ((await store.rescue(1)).length === 0);
    const { events } = await start({
      handlers: {
        pay: () => {
          if (isBroken) throw new Error('down');
        },
      },
    });
    await events.waitFor('job.dead');
    isBroken = false;
    await retryJob(database.db, id);
    await events.waitFor('job.succeeded');
    const [sent] = (await telemetry.spans()).filter(({ name }) => name === 'enqueue pay');
    expect(await attempts()).toMatchObject(
      [2, 3, 1].map((attempt) => ({
        attributes: { 'messaging.duework.job.attempt': attempt, 'messaging.message.id': id },
        links: [{ traceId: sent!.traceId, spanId: sent!.spanId }],
      })),
    );
  });
});

describe('the span of an attempt tells what became of it', () => {
  const late = async ({ signal }: { signal: AbortSignal }): Promise<void> => {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const ends: [string, Handler<typeof pay>, 'succeeded' | 'snoozed' | 'failed' | 'dead', object][] = [
    ['completes', () => {}, 'succeeded', { 'messaging.duework.job.outcome': 'complete' }],
    ['snoozes', () => snooze('1h'), 'snoozed', { 'messaging.duework.job.outcome': 'snooze' }],
    [
      'asks for a retry',
      () => retry('busy', { code: 'busy' }),
      'failed',
      { 'messaging.duework.job.outcome': 'retry', 'error.type': 'busy' },
    ],
    [
      'is buried',
      () => bury('gone', 'no such order'),
      'dead',
      { 'messaging.duework.job.outcome': 'bury', 'error.type': 'gone' },
    ],
    [
      'throws',
      () => {
        throw Object.assign(new TypeError('refused'), { code: 'ECONNREFUSED' });
      },
      'failed',
      { 'messaging.duework.job.outcome': 'failed', 'error.type': 'ECONNREFUSED' },
    ],
  ];
  test.each(ends)('it %s', async (_, handler, event, attributes) => {
    const { events } = await start({ handlers: { pay: handler as Handler<never> } });
    await enqueue(database.db, pay, payload);
    await events.waitFor(`job.${event}`);
    const [span] = await attempts();
    expect(span!.attributes).toMatchObject(attributes);
    expect(span!.status.code).toBe('error.type' in attributes ? 2 : 0);
    if (!('error.type' in attributes)) expect(span!.attributes).not.toHaveProperty('error.type');
  });

  test('it runs into its time limit', async () => {
    const { events } = await start({ handlers: { brief: late as Handler<never> } });
    await enqueue(database.db, brief, {});
    await events.waitFor('job.failed');
    expect(await attempts()).toMatchObject([
      {
        status: { code: 2 },
        attributes: { 'messaging.duework.job.outcome': 'timeout', 'error.type': 'timeout' },
        events: [{ name: 'attempt.aborted', attributes: { 'messaging.duework.abort.code': 'timeout' } }],
      },
    ]);
  });

  test('it is cancelled, which is no error', async () => {
    const { events } = await start({
      handlers: {
        pay: async (job: JobContext) => {
          await cancelJob(database.db, job.run.id);
          await late(job);
        },
      },
    });
    await enqueue(database.db, pay, payload);
    await events.waitFor('job.cancelled');
    const [span] = await attempts();
    expect(span!.attributes).toMatchObject({ 'messaging.duework.job.outcome': 'cancelled' });
    expect(span!.status.code).toBe(0);
  });

  test('it ignores its signal: the span is ended without the handler, and comes to a collector', async () => {
    let leave = (): void => {};
    const { events } = await start({
      handlers: { brief: () => new Promise<void>((resolve) => (leave = resolve)) },
      options: { giveUpMs: 1 },
    });
    await enqueue(database.db, brief, {});
    await events.waitFor('job.failed');
    expect(await attempts()).toMatchObject([
      { attributes: { 'messaging.duework.job.outcome': 'timeout', 'messaging.duework.job.overran': true } },
    ]);
    leave();
  });
});

describe('what an error quotes', () => {
  const SECRET = 'sk_live_51HxYzAbCdEfGhIjKl';
  const fail = () => {
    const cause = new Error(`Cannot pay ${IBAN} of ${EMAIL} with ${SECRET}`);
    cause.stack = `Error: Cannot pay ${IBAN} of ${EMAIL}\n    at pay (pay.ts:1:1)`;
    throw cause;
  };

  test('is cleaned of values of the payload and of secrets before a collector gets it, as before it is stored', async () => {
    const { events } = await start({ handlers: { pay: fail } });
    const { id } = await enqueue(database.db, pay, payload, { maxAttempts: 1 });
    await events.waitFor('job.dead');
    const [span] = await attempts();
    const { job } = await getJob(database.db, id);
    expect(span!.status).toEqual({ code: 2, message: job.lastError });
    expect(job.lastError).toBe('Cannot pay [sensitive] of [/email] with [secret]');
    expect(span!.events).toMatchObject([
      {
        name: 'exception',
        attributes: {
          'exception.type': 'Error',
          'exception.message': job.lastError,
          'exception.stacktrace': expect.stringContaining('Cannot pay [sensitive] of [/email]'),
        },
      },
    ]);
    const sent = await telemetry.sentText();
    for (const value of [IBAN, EMAIL, SECRET]) expect(sent).not.toContain(value);
  });

  test('is left out where it cannot be told what it quotes, because the middleware was given another catalog', async () => {
    const { events } = await start({
      handlers: { pay: fail },
      traced: catalog.filter((each) => each !== pay) as never,
    });
    await enqueue(database.db, pay, payload, { maxAttempts: 1 });
    await events.waitFor('job.dead');
    expect(await attempts()).toMatchObject([
      { status: { code: 2 }, attributes: { 'error.type': 'unexpected_error' }, events: [] },
    ]);
    expect(await telemetry.sentText()).not.toMatch(/Cannot pay|DE89/);
  });
});
