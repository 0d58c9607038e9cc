import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { parseDatabaseUrl } from '@duework/database';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { getJob } from '../queue/operate.js';
import { heartbeatInThread } from './heartbeat-in-thread.js';

const database = useTestDatabase();
const short = defineJob({
  type: 'short',
  payload: z.object({ isHard: z.boolean() }),
  lease: '2s',
  retry: fixed('100ms'),
  maxAttempts: 2,
});
const catalog = defineCatalog([short]);
const RealDate = Date;
afterEach(() => {
  globalThis.Date = RealDate;
});

const isRenewed = async (id: string): Promise<boolean> => {
  const [row] = await database.db.$queryRaw<[{ is: boolean }]>`
    SELECT locked_until > claimed_at + interval '2.1 seconds' AS is FROM duework.job_runs WHERE id = ${BigInt(id)}`;
  return row.is;
};

/** From now on this process reads a clock that is `ms` ahead, or behind. */
function stepWallClock(ms: number): void {
  globalThis.Date = class extends RealDate {
    constructor(...given: []) {
      super(...((given.length === 0 ? [RealDate.now() + ms] : given) as []));
    }
    static override now = (): number => RealDate.now() + ms;
  } as DateConstructor;
}

test.each([
  ['an hour forward', 3_600_000],
  ['a day back', -86_400_000],
])('a step of the worker’s own wall clock changes nothing: %s', async (_, ms) => {
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: {
      short: async ({ payload, run }) => {
        stepWallClock(ms);
        if (payload.isHard && run.attempt === 1) throw new Error('once');
        while (!(await isRenewed(run.id)));
      },
    },
    leases: heartbeatInThread({ ...parseDatabaseUrl(database.url), catalog }),
    maintenance: { rescueIntervalMs: 50 },
  });
  const started = RealDate.now();
  const first = await enqueue(database.db, short, { isHard: true });
  const later = await enqueue(database.db, short, { isHard: false }, { delay: '1s' });
  await events.waitFor('job.succeeded', 2);
  expect(events.named('lease.lost')).toEqual([]);
  expect(events.named('run.rescued')).toEqual([]);
  expect((await getJob(database.db, first.id)).job).toMatchObject({ status: 'succeeded', attempts: 2 });
  const { job } = await getJob(database.db, later.id);
  expect(job).toMatchObject({ status: 'succeeded', attempts: 1 });
  expect(job.claimedAt!.getTime()).toBeGreaterThanOrEqual(job.runAt.getTime());
  expect(job.claimedAt!.getTime()).toBeLessThan(started + 60_000);
  await worker.stop({ deadlineMs: 0 });
});
