import type { JobStatus } from '../../queue/job.js';
import type { JoinedBatch, NewRun } from '../../ports/producer.js';
import { groupByKind } from '../settle/group-by-kind.js';
import type { InsertedRun, LeftTransaction } from './inserted-run.js';
import { checkJoined, joinBatch } from '../batches/join-batch.js';
import { empty, queryRows, sql, type Queryable, type Sql, toArray } from '@duework/sql';

/** What `duework.enqueue_many_1` answers: `now` is given instead of `ats` where all are due now. */
interface Answer {
  readonly left?: string;
  readonly held?: true;
  readonly refused?: string;
  readonly ids: readonly number[];
  readonly ats: readonly number[] | null;
  readonly now: number;
  readonly statuses?: readonly (JobStatus | null)[];
  readonly differs?: readonly (boolean | null)[] | null;
}

/**
 * Calls `duework.enqueue_many_1`. Values that all runs share are sent once, the others as arrays, and those that no run
 * uses not at all. One JSON object for each run took twice as long.
 *
 * @param isWaiting - false: null is returned, and nothing written, where another open transaction has taken a key
 * @param batch - what new runs belong to; it may be none. Throws `batch_not_found` and `batch_settled`
 */
export async function enqueueMany(
  db: Queryable,
  runs: readonly NewRun[],
  wake: readonly string[],
  expectedTransaction: string | null,
  isWaiting = true,
  batch: JoinedBatch | null = null,
): Promise<readonly InsertedRun[] | LeftTransaction | null> {
  const { kinds, kindOf } = groupByKind(runs);
  const ofKinds = (valueOf: (kind: NewRun) => string | number | null): string => toArray(kinds.map(valueOf));
  const ofRuns = (valueOf: (run: NewRun) => string | number | null): string | null => {
    const values = runs.map(valueOf);
    return values.every((value) => value === null) ? null : toArray(values);
  };
  const call = sql`duework.enqueue_many_1(${ofKinds((kind) => kind.type)}, ${ofKinds((kind) => kind.version)},
      ${ofKinds((kind) => kind.queue)}, ${ofKinds((kind) => kind.priority)}, ${ofKinds((kind) => kind.maxAttempts)},
      ${ofKinds((kind) => kind.keyWindowMs)}, ${`[${runs.map((run) => run.payloadJson).join(',')}]`}::text::jsonb,
      ${kinds.length === 1 ? null : toArray(kindOf)}, ${ofRuns((run) => run.runAt)},
      ${ofRuns((run) => (run.delayMs === 0 ? null : run.delayMs))}, ${ofRuns((run) => run.key)},
      ${wake.length === 0 ? null : toArray(wake)}, ${expectedTransaction}${metasOf(runs)}${isWaiting ? empty : sql`, no_wait => true`}${flowsOf(runs)})`;
  const [row] = await queryRows<{ answer: string }>(
    db,
    sql`SELECT ${batch === null ? call : joinBatch(batch, runs.length === 0 ? noRuns(expectedTransaction) : call, expectedTransaction)} AS answer`,
  );
  const answer = JSON.parse(row!.answer) as Answer;
  checkJoined(answer, batch);
  const { left, held, ids, ats, now, statuses, differs } = answer;
  if (left !== undefined) return { left };
  if (held === true) return null;
  return ids.map((id, index) => ({
    id: String(id),
    runAtMs: ats?.[index] ?? now,
    status: statuses?.[index] ?? null,
    payloadDiffers: differs?.[index] ?? false,
  }));
}

const noRuns = (expectedTransaction: string | null): Sql =>
  sql`CASE WHEN duework.require_transaction(${expectedTransaction}::text) THEN '{"ids": []}' END`;

/** The last argument by place: nothing where no run has any. */
function metasOf(runs: readonly NewRun[]): Sql {
  const json = share(runs.map(({ metaJson }) => metaJson));
  return json === null ? empty : sql`, ${json}::text::jsonb`;
}

function flowsOf(runs: readonly NewRun[]): Sql {
  if (runs.every(({ flow }) => flow === null)) return empty;
  const json = share(runs.map(({ flow }) => (flow === null ? null : JSON.stringify(flow))));
  return sql`, flows => ${json}::text::jsonb`;
}

/** JSON objects as one object where all are the same, else as an array; null: there is none. */
function share(objects: readonly (string | null)[]): string | null {
  const first = objects[0] ?? null;
  return objects.every((one) => one === first) ? first : `[${objects.map((one) => one ?? 'null').join(',')}]`;
}
