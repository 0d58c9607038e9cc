import { defineJob } from '@duework/contracts';
import { connectPg } from '@duework/database';
import {
  createPostgresStore,
  enqueue,
  enqueueMany,
  getJob,
  jobRequest,
  retryJob,
  type ClaimedRun,
  type Queryable,
} from '@duework/queue-core';
import { z } from 'zod';

const BATCH = 500;
const ERROR = { code: 'bench', type: 'Bench', message: 'It is dead for the benchmark.', stack: null };

const job = defineJob({
  type: 'send_once',
  payload: z.object({ id: z.int() }),
  idempotencyKey: ({ id }) => `mail:${id}`,
});

/** Calls that can be made so many times, each about another job. */
export interface FinishedJobs {
  find(): Promise<unknown>;
  duplicate(): Promise<unknown>;
  retry(): Promise<unknown>;
}

/** Makes jobs that have succeeded, with keys, and as many dead ones; returns what looks for them through `db`. */
export async function prepareFinished(url: string, db: Queryable, jobs: number): Promise<FinishedJobs> {
  const engine = connectPg({ url, poolSize: 1 });
  const succeeded = await finish(engine, 0, jobs, 'complete');
  const dead = await finish(engine, jobs, jobs, 'bury');
  await engine.$disconnect();
  const next = [0, 0, 0];
  const take = (kind: number): number => (next[kind] = next[kind]! + 1) - 1;
  return {
    find: () => getJob(db, succeeded[take(0)]!.id),
    async duplicate() {
      const { isDeduplicated } = await enqueue(db, job, { id: take(1) });
      if (!isDeduplicated) throw new Error('A duplicate was enqueued.');
    },
    retry: () => retryJob(db, dead[take(2)]!.id),
  };
}

/** Enqueues, claims and settles jobs; returns them. */
async function finish(
  db: Queryable,
  firstId: number,
  jobs: number,
  kind: 'complete' | 'bury',
): Promise<readonly ClaimedRun[]> {
  const ids = Array.from({ length: jobs }, (_, index) => firstId + index);
  await enqueueMany(
    db,
    ids.map((id) => jobRequest(job, { id })),
  );
  const store = createPostgresStore({ db });
  const finished: ClaimedRun[] = [];
  while (finished.length < jobs) {
    const { runs } = await store.claim({
      queue: job.queue,
      contracts: new Map([[job.type, job]]),
      worker: 'bench',
      limit: BATCH,
    });
    if (runs.length === 0) throw new Error(`${finished.length} of ${jobs} jobs could be claimed.`);
    await store.settle(
      runs.map(({ id, fence }) =>
        kind === 'complete' ? { kind, id, fence, result: null } : { kind, id, fence, error: ERROR, abort: null },
      ),
    );
    finished.push(...runs);
  }
  return finished;
}
