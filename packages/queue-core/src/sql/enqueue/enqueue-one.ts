import type { JobStatus } from '../../queue/job.js';
import type { NewRun } from '../../ports/producer.js';
import type { InsertedRun, LeftTransaction } from './inserted-run.js';
import { empty, queryRows, sql, type Queryable } from '../sql.js';

/**
 * Calls `duework.enqueue_1`, whose parameters have the types that this text leaves out; but JSON is sent as text, because
 * some drivers would make JSON of it once more.
 */
export async function enqueueOne(
  db: Queryable,
  run: NewRun,
  wake: string | null,
  expectedTransaction: string | null,
): Promise<readonly [InsertedRun] | LeftTransaction> {
  const [row] = await queryRows<{ answer: string }>(
    db,
    sql`SELECT duework.enqueue_1(${run.type}, ${run.version}, ${run.queue}, ${run.priority}, ${run.maxAttempts},
      ${run.payloadJson}::text::jsonb,
      ${run.runAt}, ${String(run.delayMs)}, ${run.key}, ${toText(run.keyWindowMs)}, ${wake}, ${expectedTransaction}${
        run.metaJson === null ? empty : sql`, ${run.metaJson}::text::jsonb`
      }${run.flow === null ? empty : sql`, flow => ${JSON.stringify(run.flow)}::text::jsonb`}) AS answer`,
  );
  const [id, runAtMs, told] = row!.answer.split(' ') as [string, string, string | undefined];
  if (id === 'left') return { left: runAtMs };
  const [status, differs] = (told ?? '').split(',') as [JobStatus | '', string | undefined];
  return [{ id, runAtMs: Number(runAtMs), status: status || null, payloadDiffers: differs !== undefined }];
}

/** Drivers differ in how they send large numbers. */
function toText(value: number | null): string | null {
  return value === null ? null : String(value);
}
