/** The same on Duework. */
import { setTimeout as pause } from 'node:timers/promises';
import { complete, defineCatalog, DueworkError, openQueue, snooze, type Handlers } from 'duework';
import { countJobs, getBulkAction, readEndedJobs, startBulkAction } from 'duework/operate';
import { openTaker, runWorker } from 'duework/worker';
import { Pool } from 'pg';
import { byHand, later, logged, shut } from './desk-jobs.js';
import type { Operated } from './outcomes.js';

export async function operateNew(databaseUrl: string): Promise<Operated> {
  const pool = new Pool({ connectionString: databaseUrl });
  const queue = openQueue(pool);
  const { cursor } = await readEndedJobs(pool, { after: 'now' });

  const added = await queue.enqueue(byHand, { n: 21 });
  const [taken] = await openTaker(pool, { contracts: [byHand] }).take();
  await taken!.complete(taken!.payload.n * 2);
  const doubled = await queue.result(byHand, added.id);

  let isOpen = false;
  let isFirst = true;
  const catalog = defineCatalog([later, logged, shut]);
  const handlers: Handlers<typeof catalog> = {
    later() {
      if (!isFirst) return complete();
      isFirst = false;
      return snooze('100ms');
    },
    logged: ({ log }) => log.info({}, 'the first step is done'),
    shut() {
      if (!isOpen) throw new Error('it is shut');
      return complete(isOpen);
    },
  };
  const stopping = new AbortController();
  const options = { catalog, handlers, databaseUrl, workerPort: 'none', argv: [], handleSignals: false } as const;
  const worker = runWorker({ ...options, signal: stopping.signal });
  const { id: laterId } = await queue.enqueue(later, {});
  await queue.result(later, laterId, { wait: '30s' });
  const { job } = await queue.getJob(laterId);

  const { id: loggedId } = await queue.enqueue(logged, {});
  await queue.result(logged, loggedId, { wait: '30s' });
  const { attempts } = await queue.getJob(loggedId);

  const { id } = await queue.enqueue(shut, {});
  await queue.result(shut, id, { wait: '30s' }).catch((error: unknown) => {
    if (!DueworkError.is(error, 'job_failed')) throw error;
  });
  const { count: failedBefore } = await countJobs(pool, 'type:shut status:dead');
  isOpen = true;
  await queue.retryJob(id);
  const retried = await queue.result(shut, id, { wait: '30s' });
  let ended = 0;
  for (let after = cursor; ended < 4; await pause(20)) {
    const page = await readEndedJobs(pool, { after, types: ['by_hand', 'later', 'logged', 'shut'] });
    ended += page.jobs.filter(({ status }) => status === 'succeeded').length;
    after = page.cursor;
  }

  for (let n = 0; n < 3; n++) await queue.enqueue(later, {}, { delay: '1h' });
  const waiting = 'type:later status:queued';
  const { count: before } = await countJobs(pool, waiting);
  const action = await startBulkAction(
    pool,
    catalog,
    { verb: 'cancel', filter: waiting },
    { reason: 'nobody needs them' },
  );
  while ((await getBulkAction(pool, action.id)).status === 'running') await pause(50);
  const { count: after } = await countJobs(pool, waiting);

  stopping.abort();
  await worker;
  await pool.end();
  return {
    byHand: doubled,
    chargedForWaiting: job.attempts,
    logs: attempts[0]!.logs!.split('\n').length,
    failedBefore,
    retried,
    ended,
    drained: [before, after],
  };
}
