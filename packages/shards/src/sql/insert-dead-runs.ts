import type { NewRun } from '@duework/queue-core/ports';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** What was charged elsewhere, as a code beside the error. */
export const FAILED_BEFORE_MOVE = 'failed_before_move';

/** How a run that has failed for good in another system did so. */
export interface Death {
  readonly attempts: number;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly failedAt: string;
  readonly errorType: string | null;
  readonly error: string;
  /** Of its last attempts, the last one last, as far as that system has kept them. */
  readonly stacks?: readonly string[];
}

export interface DeadRun extends Death {
  readonly run: NewRun;
}

const MOST_OF_A_STACK = 8_192;

/**
 * Writes runs that are dead already, under ids of the day on which they were made elsewhere, and answers with those in the same
 * order. They tell nobody of their death, and hold no key.
 */
export async function insertDeadRuns(tx: Queryable, dead: readonly DeadRun[]): Promise<readonly string[]> {
  const rows = dead.map(({ run, stacks = [], ...rest }, at) => ({
    ...run,
    ...rest,
    at,
    stacks: stacks.map((stack) => stack.slice(0, MOST_OF_A_STACK)),
  }));
  const written = await queryRows<{ id: string }>(
    tx,
    sql`
    WITH given AS MATERIALIZED (
      SELECT x.*, duework.first_id_of((x."createdAt" AT TIME ZONE 'UTC')::date) + nextval('duework.job_runs_id_seq') AS id
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS x (
        at integer, queue text, type text, version integer, priority integer, "runAt" timestamptz, "payloadJson" text,
        attempts integer, "maxAttempts" integer, "createdAt" timestamptz, "failedAt" timestamptz, "metaJson" text,
        "errorType" text, error text, stacks jsonb
      )
    ),
    written AS (
      INSERT INTO duework.job_history (
        id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, created_at,
        finished_at, failed_at, error_code, error_type, last_error, meta
      )
      SELECT g.id, g.queue, g.type, g.version, 'dead', g.priority, g."runAt", g."payloadJson"::jsonb, g.attempts,
        greatest(g."maxAttempts", g.attempts), 0, g."createdAt", g."failedAt", g."failedAt", ${FAILED_BEFORE_MOVE}::text,
        g."errorType", g.error, g."metaJson"::jsonb
      FROM given AS g
    ),
    tried AS (
      INSERT INTO duework.job_attempts (
        is_late, run_id, fence, attempt, job_type, outcome, worker, claimed_at, finished_at, error_code, error_type,
        error_message, error_stack
      )
      -- what no fence of ours has numbered stands before all that one will
      SELECT g.id < (SELECT duework.first_id_today(-1)), g.id, s.number - jsonb_array_length(g.stacks),
        g.attempts - jsonb_array_length(g.stacks) + s.number, g.type, 'failed', 'before the move', g."failedAt",
        g."failedAt", ${FAILED_BEFORE_MOVE}::text, g."errorType", split_part(s.stack, E'\n', 1), s.stack
      FROM given AS g CROSS JOIN jsonb_array_elements_text(g.stacks) WITH ORDINALITY AS s (stack, number)
    )
    SELECT g.id::text AS id FROM given AS g ORDER BY g.at`,
  );
  return written.map(({ id }) => id);
}
