import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { defineCatalog, defineJob } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import type { Worker } from '../worker/create-worker.js';
import type { WorkerOptions } from '../worker/worker-options.js';

const database = useTestDatabase();
const payload = z.object({ n: z.int() });
const plain = defineJob({ type: 'plain', payload });
const durable = defineJob({ type: 'durable', payload, durable: true });
const collected = defineJob({ type: 'collected', payload, collect: { max: 7, wait: '10ms' } });
const catalog = defineCatalog([plain, durable, collected]);

/** A tenant, a user, a trace: what libraries keep for the code that comes after. */
const tenant = new AsyncLocalStorage<string>();
const JOBS = 60;

const workers: Worker[] = [];
beforeEach(async () => {
  await emptyTables(database.db, 'job_runs');
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

/** The tenants with which handlers began, of a worker that was started for `own`, and all of whose code leaves one behind. */
async function tenantsSeen(more: Partial<WorkerOptions<typeof catalog>> = {}) {
  const none = (): (string | undefined)[] => [];
  const seen = { plain: none(), durable: none(), collected: none(), step: none() };
  const leave = async (type: keyof typeof seen, n: number): Promise<void> => {
    seen[type].push(tenant.getStore());
    tenant.enterWith(`of ${type} ${n}`);
    await delay(1);
    tenant.enterWith(`later of ${type} ${n}`);
  };
  const { worker, events } = await tenant.run('own', () =>
    startTestWorker<typeof catalog>(database.db, {
      catalog,
      concurrency: 3,
      handlers: {
        plain: ({ payload: { n } }) => leave('plain', n),
        durable: async ({ payload: { n }, step }) => {
          await leave('durable', n);
          await step('one', () => leave('step', n));
        },
        collected: (jobs) => leave('collected', jobs[0]!.payload.n),
      },
      ...more,
    }),
  );
  workers.push(worker);
  const requests = Array.from({ length: JOBS }, (_, n) =>
    [plain, durable, collected].map((contract) => jobRequest(contract, { n })),
  ).flat();
  await enqueueMany(database.db, requests);
  await events.waitFor('job.succeeded', 3 * JOBS);
  return seen;
}

test('every handler starts in the async context of the worker’s start, whatever the jobs before have left behind', async () => {
  const { plain: ofPlain, durable: ofDurable, collected: ofCollected, step } = await tenantsSeen();
  expect(new Set(ofPlain)).toEqual(new Set(['own']));
  expect(new Set(ofDurable)).toEqual(new Set(['own']));
  expect(new Set(ofCollected)).toEqual(new Set(['own']));
  expect([ofPlain.length, ofDurable.length]).toEqual([JOBS, JOBS]);
  // a step goes on in the context of its handler
  expect(step.every((store) => store!.startsWith('of durable'))).toBe(true);
});

test('every middleware starts in it, and its handler goes on in what the middleware has entered', async () => {
  const seen: (string | undefined)[] = [];
  const { plain: ofPlain, durable: ofDurable } = await tenantsSeen({
    middleware: async ({ run }, next) => {
      seen.push(tenant.getStore());
      tenant.enterWith(`middleware of ${run.type} ${run.id}`);
      return next({});
    },
  });
  expect(new Set(seen)).toEqual(new Set(['own']));
  expect(ofPlain.every((store) => store!.startsWith('middleware of plain'))).toBe(true);
  expect(ofDurable.every((store) => store!.startsWith('middleware of durable'))).toBe(true);
});

test('every statement of the worker’s own is sent in it, but for those that a handler asks for', async () => {
  const sentIn = new Set<string | undefined>();
  const { db } = database;
  const spied = new Proxy(db, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name, target);
      if (typeof found !== 'function') return found;
      return (...args: unknown[]) => {
        if (name === '$queryRaw' || name === '$executeRaw') sentIn.add(tenant.getStore());
        return (found as (...given: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  const { createPostgresStore } = await import('../index.js');
  await tenantsSeen({ store: createPostgresStore({ db: spied }) });
  expect([...sentIn]).toEqual(['own']);
});
