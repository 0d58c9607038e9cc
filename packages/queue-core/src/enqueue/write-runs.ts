import { expectedTransaction, inTransaction, recogniseClient, type Queryable, type Transactable } from '@duework/sql';
import type { EnqueuedJob, NewRun, JoinedBatch } from '../ports/producer.js';
import { offloadRuns } from '../objects/offload-runs.js';
import { insertRuns, tryInsertRuns } from '../sql/enqueue/insert-runs.js';
import { notifyWake } from '../sql/wake/notify-wake.js';
import { takeQueuesToWake } from '../wake/take-queues-to-wake.js';

/** What one statement carries: a character takes at most three bytes. */
const MOST_CHARACTERS = 64_000_000;
/** How long a transaction of several may take. */
const LONG_MS = 600_000;

/**
 * Writes runs in one round trip, all or none, and returns them in their order. Throws `not_in_transaction` where the
 * statement left the caller's transaction, `unknown_client` and `not_migrated`.
 */
export async function writeRuns(db: Queryable, runs: readonly NewRun[]): Promise<EnqueuedJob[]> {
  const made = offloadRuns(runs);
  // nearly always at once, so that the statement is sent before the caller can send a COMMIT
  const sent = made instanceof Promise ? await made : made;
  return inPortions(db, sent, async (client, portion) => (await write(client, portion, insertRuns))!);
}

/** The same for the runs of a batch, which may be none. Throws `batch_not_found` and `batch_settled`, too. */
export async function writeBatch(db: Queryable, batch: JoinedBatch, runs: readonly NewRun[]): Promise<EnqueuedJob[]> {
  const made = offloadRuns(runs);
  return inPortions(db, made instanceof Promise ? await made : made, async (client, portion, isFirst) => {
    const joined = isFirst ? batch : { id: batch.id };
    return (await write(client, portion, (tx, ofBatch, options) =>
      insertRuns(tx, ofBatch, { ...options, batch: joined }),
    ))!;
  });
}

/**
 * Writes more than a statement can carry in several, of one transaction: PostgreSQL holds 256 MB in one JSON value, and V8
 * half a gigabyte in one text. Throws `transaction_needed` where that is to be, and none can be begun.
 */
async function inPortions(
  db: Queryable,
  runs: readonly NewRun[],
  send: (db: Queryable, portion: readonly NewRun[], isFirst: boolean) => Promise<EnqueuedJob[]>,
): Promise<EnqueuedJob[]> {
  const portions = split(runs);
  if (portions.length === 1) return send(db, runs, true);
  const sendAll = async (tx: Queryable): Promise<EnqueuedJob[]> => {
    const jobs: EnqueuedJob[] = [];
    for (const [at, portion] of portions.entries()) jobs.push(...(await send(tx, portion, at === 0)));
    return jobs;
  };
  return inTransaction(db as Transactable, sendAll, LONG_MS);
}

function split(runs: readonly NewRun[]): readonly (readonly NewRun[])[] {
  const portions: NewRun[][] = [];
  let left = 0;
  for (const run of runs) {
    const size = run.payloadJson.length + (run.metaJson?.length ?? 0);
    if (portions.length === 0 || size > left) {
      portions.push([]);
      left = MOST_CHARACTERS;
    }
    portions.at(-1)!.push(run);
    left -= size;
  }
  return portions.length === 0 ? [runs] : portions;
}

/** The same, but null, and nothing is written, where another open transaction has taken one of the keys. */
export function tryWriteRuns(db: Queryable, runs: readonly NewRun[]): Promise<EnqueuedJob[] | null> {
  return write(db, runs, tryInsertRuns);
}

async function write(
  db: Queryable,
  runs: readonly NewRun[],
  insert: typeof tryInsertRuns,
): Promise<EnqueuedJob[] | null> {
  const client = recogniseClient(db);
  const expected = expectedTransaction(client);
  // without a pause where there is nothing to wait for: the statement is then sent before the caller can send a COMMIT
  const expectedId = expected instanceof Promise ? await expected : expected;
  const turns = takeQueuesToWake(client, runs);
  const inserted = await insert(client, runs, { expectedTransaction: expectedId, wake: turns.hints });
  const hasWritten = inserted !== null && inserted.some(({ status }) => status === null);
  for (const queue of turns.end(hasWritten)) await notifyWake(client, queue);
  if (inserted === null) return null;
  return inserted.map(({ id, runAtMs, status, payloadDiffers }, index) => ({
    id,
    type: runs[index]!.type,
    status: status ?? 'queued',
    runAt: new Date(runAtMs),
    isDeduplicated: status !== null,
    payloadDiffers,
  }));
}
