import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { systemClock, type Clock } from '../clock.js';
import type { Worker } from '../worker/create-worker.js';
import type { EngineMessage } from '../leases/heartbeat.js';
import { enqueue } from '../enqueue/enqueue.js';
import type { Handler, JobContext } from '../run/handler.js';
import { createPostgresStore } from '../store/postgres-store.js';
import type { WorkerOptions } from '../worker/worker-options.js';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';

const database = useTestDatabase();
/** So long that no other claim can have the run before the test has looked, however busy the machine is. */
const LEASE_MS = 60_000;
const options = { payload: z.object({ order: z.int() }), retry: fixed('1ms'), lease: '1m' } as const;
const careful = defineJob({ ...options, type: 'careful' });
const insistent = defineJob({ ...options, type: 'insistent', effects: 'at_least_once' });
const catalog = defineCatalog([careful, insistent]);

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

async function start(
  handler: (context: JobContext) => ReturnType<Handler<typeof careful>>,
  more: Partial<WorkerOptions<typeof catalog>>,
) {
  const handlers = { careful: handler, insistent: handler };
  const started = await startTestWorker<typeof catalog>(database.db, { catalog, handlers, ...more });
  workers.push(started.worker);
  return started;
}

/** The machine's clock, which a test can move ahead, as a process finds it after it was frozen. */
function clockAhead() {
  let aheadMs = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
  return { clock, moveAhead: (ms: number) => void (aheadMs += ms) };
}

describe('a worker that was frozen while it asked to begin an effect', () => {
  test.each(['careful', 'insistent'] as const)('does no effect of a %s job after its lease', async (type) => {
    const { clock, moveAhead } = clockAhead();
    const store = createPostgresStore({ db: database.db });
    let isFrozen = false;
    let sent = 0;
    let end: () => void = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const handler = async ({ once }: JobContext): Promise<void> => {
      try {
        await once('mail', () => void sent++);
      } finally {
        end();
      }
    };
    const { events } = await start(handler, {
      clock,
      store: {
        ...store,
        beginEffect: async (request) => {
          const answer = await store.beginEffect(request);
          if (!isFrozen) moveAhead(LEASE_MS);
          isFrozen = true;
          return answer;
        },
        // nobody renews the lease meanwhile, and the heartbeat has not reported yet that it is over
        extendLeases: () => new Promise(() => {}),
      },
    });
    const { id } = await enqueue(database.db, type === 'careful' ? careful : insistent, { order: 20 });
    // whichever comes first: a job that performs the effect succeeds
    await Promise.race([events.waitFor('lease.lost'), events.waitFor('job.succeeded')]);
    // the loss may be told before the effect's row is taken back
    await ended;
    expect(sent).toBe(0);
    const [effect] = await database.db.$queryRaw<unknown[]>`
      SELECT status FROM duework.job_effects WHERE run_id = ${BigInt(id)}`;
    expect(effect).toEqual({ status: 'undone' });
  });

  test('performs the effect when its lease was renewed meanwhile and only the message had not been received', async () => {
    const { clock, moveAhead } = clockAhead();
    const store = createPostgresStore({ db: database.db });
    let tell: (message: EngineMessage) => void = () => {};
    let sent = 0;
    const { events } = await start(async ({ once }) => void (await once('mail', () => void sent++)), {
      clock,
      leases: {
        isListening: false,
        start: async (_worker, listener) => void (tell = listener),
        hold: () => {},
        letGo: () => {},
        renew: () => {},
        stop: async () => {},
      },
      store: {
        ...store,
        beginEffect: async (request) => {
          const answer = await store.beginEffect(request);
          moveAhead(LEASE_MS);
          const { id, fence } = request;
          setImmediate(() => tell({ kind: 'extended', id, fence, grantedMs: clock.monotonicMs() }));
          return answer;
        },
      },
    });
    await enqueue(database.db, careful, { order: 21 });
    await events.waitFor('job.succeeded');
    expect(sent).toBe(1);
  });
});
