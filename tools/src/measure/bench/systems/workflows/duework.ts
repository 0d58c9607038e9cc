/** Durable handlers of Duework: ten steps, or children that are waited for. */
import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg, connectPrisma } from '@duework/database';
import {
  complete,
  createPostgresStore,
  createWorker,
  enqueueMany,
  jobRequest,
  type HandlerLog,
} from '@duework/queue-core';
import { z } from 'zod';
import type { EngineClient } from '../duework.js';
import type { Workflows } from '../system.js';
import { EndCount } from './count-ends.js';

const STEPS = 10;
const AT_ONCE = 100;
const ENGINE_POOL = 6;
const STOP_MS = 5_000;

const chain = defineJob({ type: 'chain', payload: z.object({ n: z.int() }), durable: true });
const fan = defineJob({ type: 'fan', payload: z.object({ children: z.int() }), durable: true });
const child = defineJob({ type: 'child', payload: z.object({ n: z.int() }), result: z.int() });
const catalog = defineCatalog([chain, fan, child]);
const noLog: HandlerLog = { debug() {}, info() {}, warn() {}, error() {} };

export const openWorkflows =
  (client: EngineClient) =>
  async (url: string): Promise<Workflows> => {
    const options = { url, poolSize: ENGINE_POOL, applicationName: 'bench-worker' };
    const engine = client === 'pg' ? connectPg(options) : connectPrisma({ ...options, role: 'engine' });
    const db = client === 'pg' ? connectPg(options) : connectPrisma(options);
    const ends = new EndCount();
    const worker = createWorker({
      name: `bench-${process.pid}`,
      store: createPostgresStore({ db: engine }),
      catalog,
      concurrency: AT_ONCE,
      logOf: () => noLog,
      emit: (event) => {
        if (event.name === 'job.succeeded' && event.run.type !== child.type) ends.end();
        if (event.name === 'job.failed' || event.name === 'job.dead') process.emitWarning(event.error.message);
      },
      handlers: {
        chain: async ({ payload, step }) => {
          let { n } = payload;
          for (let at = 0; at < STEPS; at++) n = await step(`step ${at}`, async () => n + 1);
        },
        fan: async ({ payload: { children }, child: begin }) => {
          await Promise.all(Array.from({ length: children }, (_, n) => begin(child, { n }, { name: `child ${n}` })));
        },
        child: ({ payload: { n } }) => complete(n),
      },
    });
    await worker.start();
    return {
      chains: (count) =>
        ends.until(count, () =>
          enqueueMany(
            db,
            Array.from({ length: count }, (_, n) => jobRequest(chain, { n })),
          ),
        ),
      fanOut: (children) => ends.until(1, () => enqueueMany(db, [jobRequest(fan, { children })])),
      async stop() {
        await worker.stop({ deadlineMs: STOP_MS });
        await Promise.all([engine.$disconnect(), db.$disconnect()]);
      },
    };
  };
