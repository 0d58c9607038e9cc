import type { Catalog, JobContract } from '@duework/contracts';
import { connectPg, type PgClient } from '@duework/database';
import {
  createPostgresStore,
  createWorker,
  enqueue,
  getJob,
  type Handlers,
  type Job,
  type WorkerEvent,
} from '@duework/queue-core';
import { PlainError } from '../plain-error.js';
import type { JobsModule } from '../project/jobs-module.js';

const TYPE = 'say_hello';
const PAYLOAD = { name: 'world' };
/** A second init finds the job of the first one. */
const KEY = 'duework:init';
const PATIENCE_MS = 20_000;

/**
 * Enqueues one job of the type that init has written and runs it here, with the project's own handler; returns it when
 * it has ended. undefined: the catalog has no such type any more, or its payload is another one by now.
 *
 * @param url - a migrated database
 * @throws PlainError `first_job_unfinished`
 */
export async function runFirstJob(url: string, { catalog, handlers }: JobsModule): Promise<Job | undefined> {
  const contract = catalog.find(({ type }) => type === TYPE);
  const handler = (handlers as Record<string, unknown> | undefined)?.[TYPE];
  if (contract === undefined || typeof handler !== 'function') return undefined;
  const db = connectPg({ url, poolSize: 4, applicationName: 'duework-init' });
  try {
    const { id } = await enqueue(db, contract, PAYLOAD, { idempotencyKey: KEY });
    await runUntilEnded(db, contract, { [TYPE]: handler } as unknown as Handlers<Catalog>, id);
    return (await getJob(db, id)).job;
  } finally {
    await db.$disconnect();
  }
}

const ENDED: ReadonlySet<string> = new Set<Job['status']>(['succeeded', 'dead', 'cancelled', 'failed']);
const ENDING: ReadonlySet<string> = new Set<WorkerEvent['name']>([
  'job.succeeded',
  'job.failed',
  'job.dead',
  'job.snoozed',
  'job.cancelled',
]);

async function runUntilEnded(
  db: PgClient,
  contract: JobContract,
  handlers: Handlers<Catalog>,
  id: string,
): Promise<void> {
  if (ENDED.has((await getJob(db, id)).job.status)) return;
  let ended = (): void => {};
  const ending = new Promise<void>((resolve) => (ended = resolve));
  const silent = (): void => {};
  const worker = createWorker({
    name: `duework-init-${process.pid}`,
    store: createPostgresStore({ db }),
    catalog: [contract],
    handlers,
    emit: (event) => {
      if (ENDING.has(event.name) && 'run' in event && event.run.id === id) ended();
    },
    logOf: () => ({ debug: silent, info: silent, warn: silent, error: silent }),
  });
  await worker.start();
  let timer: NodeJS.Timeout | undefined;
  try {
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new PlainError('first_job_unfinished', `Job ${id} (${contract.type}) has not ended after 20 s.`)),
        PATIENCE_MS,
      );
    });
    await Promise.race([ending, limit]);
  } finally {
    clearTimeout(timer);
    await worker.stop({ deadlineMs: 1_000 });
  }
}
