import * as contracts from '@duework/contracts';
import { startEmbeddedPostgres } from '@duework/embedded';
import setUp, { createTestDatabase, setUpTestDatabases } from '@duework/embedded/testing';
import tearDown from '@duework/embedded/testing/teardown';
import { complete, defineCatalog, defineJob, DueworkError, enqueue, exponential, openQueue } from 'duework';
import type { Handler, Handlers, Job, Outcome, PayloadOf, Queryable } from 'duework';
import { defineIsolated } from 'duework/isolated';
import { fromPg } from 'duework/adapters';
import { migrateDatabase } from 'duework/migrate';
import { createKey, explainJob, pauseType, searchJobs, startBulkAction } from 'duework/operate';
import type { Act, BulkRequest, Explanation } from 'duework/operate';
import { scheduleRequest } from 'duework/schedules';
import { assertEnqueued, drain, performJob } from 'duework/testing';
import { createWorker, runWorker } from 'duework/worker';
import type { WorkerOptions } from 'duework/worker';
import { z } from 'zod';

export const sendReceipt = defineJob({
  type: 'send_receipt',
  payload: z.object({ orderId: z.number(), to: z.string() }),
  result: z.object({ sent: z.boolean() }),
  retry: exponential({ base: '10s' }),
});
export const chargeCard = contracts.defineJob({ type: 'charge_card', payload: z.object({ cents: z.number() }) });
export const catalog = defineCatalog([sendReceipt, chargeCard]);

export async function produce(db: Queryable): Promise<string> {
  const { id } = await enqueue(db, sendReceipt, { orderId: 1, to: 'a@example.com' });
  await openQueue(db).enqueue(chargeCard, { cents: 5 });
  // @ts-expect-error the payload lacks `to`
  await enqueue(db, sendReceipt, { orderId: 1 });
  // @ts-expect-error cents are a number, by the contract of either package
  await enqueue(db, chargeCard, { cents: '5' });
  return id;
}

export const handlers: Handlers<typeof catalog> = {
  send_receipt: async ({ payload, signal }) => {
    const orderId: number = payload.orderId;
    signal.throwIfAborted();
    return complete({ sent: orderId > 0 });
  },
  charge_card: ({ payload }) => void payload.cents.toFixed(2),
};
// @ts-expect-error a handler is missing
export const incomplete: Handlers<typeof catalog> = { charge_card: () => {} };

export const handler: Handler<typeof sendReceipt> = (): Outcome<{ sent: boolean }> => complete({ sent: true });
export const payload: PayloadOf<typeof sendReceipt> = { orderId: 1, to: '' };
export const isolatedHandler = defineIsolated(chargeCard, async ({ payload: { cents } }) => void cents.toFixed(2));
export const schedule = scheduleRequest(chargeCard, {
  key: 'nightly',
  cron: '0 3 * * *',
  timeZone: 'UTC',
  payload: { cents: 1 },
});
export const run = (): Promise<number> => runWorker({ catalog, handlers, schedules: [schedule] });
export const migrate = (url: string) => migrateDatabase({ url });
export const inPg = (client: Parameters<typeof fromPg>[0]) => enqueue(fromPg(client), chargeCard, { cents: 1 });
export const start = (options: WorkerOptions<typeof catalog>): Promise<void> => createWorker(options).start();

export async function test(db: Queryable): Promise<readonly Job[]> {
  await performJob(chargeCard, { cents: 1 }, handlers);
  await drain(db, { catalog, handlers });
  // @ts-expect-error cents are a number
  await performJob(chargeCard, { cents: '1' }, handlers);
  return assertEnqueued(db, sendReceipt, { payload: { orderId: 1 } });
}

export async function operate(db: Queryable, act: Act, request: BulkRequest): Promise<Explanation[]> {
  await pauseType(db, sendReceipt.type, { ...act, until: new Date() });
  const { id }: { id: string } = await startBulkAction(db, catalog, request, act);
  // @ts-expect-error there is no such verb
  await startBulkAction(db, catalog, { verb: 'forget', filter: id });
  const { text } = await createKey(db, { name: 'shop', scopes: ['enqueue'], expiresIn: '90d' });
  text.startsWith('dwk_');
  const { jobs } = await searchJobs(db, { filter: 'status:dead since:2h' });
  return Promise.all(jobs.map((job) => explainJob(db, job.id)));
}

export const isRefusal = (error: unknown): boolean =>
  DueworkError.is(error, 'invalid_payload') && error.facts.issues.length > 0;

export const globalSetups: (() => Promise<() => Promise<void>>)[] = [setUp, setUpTestDatabases({ migrate: () => {} })];
export const globalTeardown: () => Promise<void> = tearDown;
export const cloned = async (): Promise<string> => (await createTestDatabase()).url;
export const server = async (): Promise<number> => (await startEmbeddedPostgres({ dataDir: 'a', port: 0 })).port;
