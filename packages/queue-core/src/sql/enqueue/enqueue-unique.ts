import { DueworkError } from '@duework/sql/errors';
import type { NewRun } from '../../ports/producer.js';
import type { JobStatus } from '../../queue/job.js';
import type { InsertedRun, LeftTransaction } from './inserted-run.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** What `duework.enqueue_unique_1` answers. */
type Answer =
  | { readonly left: string }
  | { readonly exists: string; readonly type: string; readonly status: JobStatus }
  | readonly {
      readonly id: number;
      readonly ms: number;
      readonly status: JobStatus | null;
      readonly differs: boolean;
    }[];

/**
 * Calls `duework.enqueue_unique_1`, for runs of which some are of contracts that say what makes them one of a kind. Throws
 * `job_exists` where one is to be refused; nothing is written then.
 */
export async function enqueueUnique(
  db: Queryable,
  runs: readonly NewRun[],
  wake: readonly string[],
  expectedTransaction: string | null,
): Promise<readonly InsertedRun[] | LeftTransaction> {
  // a hint begins with the name of its queue
  const wakes = Object.fromEntries(wake.map((hint) => [hint.split(' ')[0]!, hint]));
  const [row] = await queryRows<{ answer: string }>(
    db,
    sql`SELECT duework.enqueue_unique_1(${`[${runs.map(toJson).join(',')}]`}::text::jsonb, ${JSON.stringify(wakes)}::text::jsonb,
      ${expectedTransaction}::text) AS answer`,
  );
  const answer = JSON.parse(row!.answer) as Answer;
  if ('left' in answer) return answer;
  if ('exists' in answer) {
    const { exists: id, type, status } = answer;
    throw new DueworkError('job_exists', { id, type, status });
  }
  return answer.map(({ id, ms, status, differs }) => ({
    id: String(id),
    runAtMs: ms,
    status,
    payloadDiffers: differs,
  }));
}

/** What is JSON already is not parsed, because numbers would lose digits. */
function toJson({ payloadJson, metaJson, unique, runAt, keyWindowMs, ...run }: NewRun): string {
  const rest = JSON.stringify({ ...run, at: runAt, windowMs: keyWindowMs, rule: unique });
  return `${rest.slice(0, -1)},"payload":${payloadJson},"meta":${metaJson ?? 'null'}}`;
}
