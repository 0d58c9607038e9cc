import { connectPrisma } from '@duework/database';
import { bury, cancelJob, complete, enqueue, type Handlers, openQueue, snooze } from '@duework/queue-core';
import { createTicker, registerSchedules, saveSchedule, scheduleRequest } from '@duework/schedules';
import { startTestWorker, waitForJob } from '@duework/testing';
import { keyed, releaseCatalog, step } from './contracts.js';

/** Resolves when the handler that runs for ever has begun. */
interface Begun {
  readonly handlers: Handlers<typeof releaseCatalog>;
  readonly running: Promise<void>;
}

/** What becomes of each number. */
const SUCCEEDS = 1;
const DIES = 2;
const FAILS = 3;
const SNOOZES = 4;
const RUNS = 5;
const WAITS = 6;

function makeHandlers(): Begun {
  let begin = (): void => {};
  const running = new Promise<void>((resolve) => (begin = resolve));
  const handlers: Handlers<typeof releaseCatalog> = {
    step: async ({ payload: { n }, signal }) => {
      if (n === DIES) return bury('no_such_thing', 'There is nothing.');
      if (n === FAILS) throw new Error('not yet');
      if (n === SNOOZES) return snooze('2d');
      if (n !== RUNS) return complete({ n });
      begin();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    },
    keyed: async ({ once }) => {
      await once('mail', () => Promise.resolve());
    },
  };
  return { handlers, running };
}

/**
 * Makes a few rows of each kind, by the product itself: runs in every status, keys, effects, attempts, schedules and their
 * due times. Resolves once all are there, while a worker still runs; `dump` looks at them then.
 */
export async function fillDatabase(url: string, dump: () => Promise<void>): Promise<void> {
  const db = connectPrisma({ url });
  const queue = openQueue(db);
  const { handlers, running } = makeHandlers();
  await registerSchedules(
    db,
    releaseCatalog,
    [scheduleRequest(step, { key: 'daily', cron: '0 4 * * *', timeZone: 'Europe/Berlin', payload: { n: WAITS } })],
    { program: 'released', version: 1 },
  );
  await saveSchedule(db, step, { key: 'minutely', cron: '* * * * *', payload: { n: WAITS } });
  // a due time that has come, so that the ledger has a line
  await db.$executeRaw`UPDATE duework.schedules SET next_due_at = date_trunc('minute', now()), tick_at = now() WHERE key = 'minutely'`;
  await createTicker({ db, catalog: releaseCatalog }).tick();
  const { worker } = await startTestWorker(db, { catalog: releaseCatalog, handlers, name: 'released' });
  const ids = new Map<number, string>();
  for (const n of [SUCCEEDS, DIES, FAILS, SNOOZES, RUNS]) ids.set(n, (await enqueue(db, step, { n })).id);
  const key = await enqueue(db, keyed, { n: SUCCEEDS });
  const later = await enqueue(db, step, { n: WAITS }, { delay: '2d' });
  const cancelled = await enqueue(db, step, { n: WAITS }, { delay: '2d' });
  await cancelJob(db, cancelled.id, { by: 'somebody', reason: 'no longer wanted' });
  try {
    await running;
    await waitForJob(queue, ids.get(SUCCEEDS) ?? '', { status: 'succeeded' });
    await waitForJob(queue, ids.get(DIES) ?? '', { status: 'dead' });
    await waitForJob(queue, ids.get(FAILS) ?? '', { status: 'failed' });
    await waitForJob(queue, key.id, { status: 'succeeded' });
    await waitForJob(queue, later.id, { status: 'queued' });
    await dump();
  } finally {
    await worker.stop({ deadlineMs: 0 });
    await db.$disconnect();
  }
}
