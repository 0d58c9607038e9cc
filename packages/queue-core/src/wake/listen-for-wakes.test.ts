import { defineCatalog, defineJob } from '@duework/contracts';
import { describeDatabaseError, parseDatabaseUrl } from '@duework/database';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { systemClock } from '../clock.js';
import { notifyWake } from '../sql/wake/notify-wake.js';
import { type CuttableProxy, startCuttableProxy, useTestDatabase } from '@duework/testing/fixtures';
import { startTestWorker } from '@duework/testing';
import { listenForWakes, type ListenOptions } from './listen-for-wakes.js';
import { heartbeatInThread } from '../leases/heartbeat-in-thread.js';
import type { EngineMessage } from '../leases/heartbeat.js';

const database = useTestDatabase();
const stopping: AbortController[] = [];
const proxies: CuttableProxy[] = [];
afterEach(() => {
  for (const controller of stopping.splice(0)) controller.abort();
  for (const proxy of proxies.splice(0)) proxy.stop();
});

/** A listener, the messages it has sent, and its next message. */
async function hear(more: Partial<ListenOptions> = {}) {
  const controller = new AbortController();
  stopping.push(controller);
  const told: EngineMessage[] = [];
  let tell = (): void => {};
  const hasTold = async (isIt: (message: EngineMessage) => boolean): Promise<EngineMessage> => {
    for (;;) {
      const index = told.findIndex(isIt);
      if (index !== -1) return told.splice(0, index + 1).at(-1)!;
      await new Promise<void>((resolve) => (tell = resolve));
    }
  };
  const notify = (message: EngineMessage): void => {
    told.push(message);
    tell();
  };
  await listenForWakes(controller.signal, { url: database.url, clock: systemClock, notify, ...more });
  return {
    controller,
    told,
    hasTold,
    next: <K extends EngineMessage['kind']>(kind: K) =>
      hasTold((message) => message.kind === kind) as Promise<Extract<EngineMessage, { kind: K }>>,
  };
}

const endSession = (): Promise<unknown> => database.db.$queryRaw`
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'duework wake-ups' AND datname = current_database()`;

/**
 * The code that users see, whatever they lose a connection by: where the listener has just sent a statement, the system
 * may say that the connection is gone before the server's own word is read.
 */
const codeOf = (error: unknown): string => describeDatabaseError(error, database.url).code;

const countSessions = async (): Promise<number> => {
  const [row] = await database.db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'duework wake-ups' AND datname = current_database()`;
  return row.count;
};

test('it is a wake-up to be connected, and each queue that is named, once for a transaction', async () => {
  const { told, hasTold } = await hear();
  expect(told).toEqual([{ kind: 'listening' }, { kind: 'woken', queue: null }]);
  told.length = 0;
  await database.db
    .$queryRaw`SELECT pg_notify('duework_wake', 'queue-' || n % 2)::text FROM generate_series(1, 500) AS n ORDER BY n`;
  await notifyWake(database.db);
  await hasTold((message) => message.kind === 'woken' && message.queue === 'queue-1');
  expect(await hasTold(() => true)).toEqual({ kind: 'woken', queue: 'queue-0' });
  expect(await hasTold(() => true)).toEqual({ kind: 'woken', queue: null });
});

test('a listening connection that the server ends is made again, which is a wake-up', async () => {
  const { told, next } = await hear();
  told.length = 0;
  await endSession();
  expect(codeOf((await next('listen_failed')).error)).toBe('database_unreachable');
  await next('listening');
  expect(await next('woken')).toEqual({ kind: 'woken', queue: null });
  await database.db.$queryRaw`SELECT pg_notify('duework_wake', 'default')::text AS told`;
  expect(await next('woken')).toEqual({ kind: 'woken', queue: 'default' });
});

test('a listening connection that is silently cut is found, and made again', async () => {
  const proxy = await startCuttableProxy(database.url);
  proxies.push(proxy);
  const { told, next } = await hear({ ...parseDatabaseUrl(proxy.url), checkIntervalMs: 20, answerLimitMs: 500 });
  told.length = 0;
  proxy.cut();
  expect(await next('listen_failed')).toMatchObject({ error: { code: 'ETIMEDOUT' } });
  proxy.mend();
  await next('listening');
  expect(await next('woken')).toEqual({ kind: 'woken', queue: null });
});

test('a database that cannot be reached is reported, and tried again', async () => {
  const nobody = new URL(database.url);
  nobody.port = '1';
  const { next } = await hear({ url: nobody.toString() });
  expect(await next('listen_failed')).toMatchObject({ error: { code: 'ECONNREFUSED' } });
  expect(await next('listen_failed')).toMatchObject({ error: { code: 'ECONNREFUSED' } });
});

test('a listener that has stopped has no session, and reports nothing', async () => {
  const { controller, told } = await hear();
  expect(await countSessions()).toBe(1);
  told.length = 0;
  controller.abort();
  while ((await countSessions()) > 0);
  expect(told).toEqual([]);
});

test('a listener that is stopped before it begins ends at once', async () => {
  await listenForWakes(AbortSignal.abort(), { url: database.url, clock: systemClock, notify: () => {} });
  expect(await countSessions()).toBe(0);
});

test('a worker reports when it cannot receive wake-ups, and when it can again', async () => {
  const quick = defineJob({ type: 'quick', payload: z.object({}) });
  const catalog = defineCatalog([quick]);
  const leases = heartbeatInThread({ ...parseDatabaseUrl(database.url), catalog });
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { quick: () => {} },
    leases,
  });
  await endSession();
  const [failed] = await events.waitFor('database.failed');
  expect([failed!.during, codeOf(failed!.error)]).toEqual(['listen', 'database_unreachable']);
  expect(await events.waitFor('database.recovered')).toMatchObject([{ during: 'listen' }]);
  expect(events.named('database.failed')).toHaveLength(1);
  await worker.stop({ deadlineMs: 0 });
});
