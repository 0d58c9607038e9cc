import { DueworkError } from '@duework/sql/errors';
import { sql, type Sql } from '@duework/sql';
import type { NewRun, JoinedBatch } from '../../ports/producer.js';

/**
 * An expression that enqueues with `enqueueMany`, a call of `duework.enqueue_many_1`, and makes the new runs those of the batch;
 * its value is what that call answers. Where the batch takes no jobs, it enqueues nothing, and is {"refused": "settled"}, or
 * "unknown".
 */
export function joinBatch(batch: JoinedBatch, enqueueMany: Sql, expectedTransaction: string | null): Sql {
  const joined = sql`duework.join_batch(${toJson(batch)}::text::jsonb, ${enqueueMany})`;
  if (batch.callbacks !== undefined) return joined;
  return sql`(SELECT CASE b.state WHEN 'open' THEN ${joined} ELSE json_build_object('refused', b.state)::text END
    FROM (
      -- before the batch is locked, which is a write
      SELECT duework.open_batch(${batch.id}::text) AS state
      WHERE duework.require_transaction(${expectedTransaction}::text)
      OFFSET 0
    ) AS b)`;
}

/** Throws `batch_not_found` or `batch_settled` where the answer says so. */
export function checkJoined({ refused }: { readonly refused?: string }, batch: JoinedBatch | null): void {
  if (refused !== undefined)
    throw new DueworkError(refused === 'settled' ? 'batch_settled' : 'batch_not_found', { id: batch!.id });
}

/** Payloads are JSON already, and not parsed, because numbers would lose digits. */
function toJson({ id, name = null, callbacks }: JoinedBatch): string {
  if (callbacks === undefined) return JSON.stringify({ id });
  const made = Object.entries(callbacks).map(([moment, run]) => `${JSON.stringify(moment)}:${runAsJson(run)}`);
  return `${JSON.stringify({ id, name }).slice(0, -1)},"callbacks":{${made.join(',')}}}`;
}

/** As `duework.write_callback` reads it: what is null is left out. */
function runAsJson({ payloadJson, metaJson, unique: _, ...run }: NewRun): string {
  const given = Object.fromEntries(Object.entries(run).filter(([, value]) => value !== null));
  return `${JSON.stringify(given).slice(0, -1)},"payload":${payloadJson}${metaJson === null ? '' : `,"meta":${metaJson}`}}`;
}
