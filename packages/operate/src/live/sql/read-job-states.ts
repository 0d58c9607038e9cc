import type { Queryable } from '@duework/queue-core';
import { parseExactly, queryRows, sql, toArray } from '@duework/sql';
import type { JobState } from '../job-state.js';

/** The states of jobs, live or finished, by their ids; a job that is not there is left out. */
export async function readJobStates(db: Queryable, ids: readonly string[]): Promise<JobState[]> {
  const rows = await queryRows<{ state: string }>(
    db,
    sql`
    SELECT json_build_object(
        'id', s.id, 'type', s.type, 'queue', s.queue, 'status', s.status, 'attempts', s.attempts, 'maxAttempts', s.max_attempts,
        'runAt', s.run_at, 'claimedAt', s.claimed_at, 'finishedAt', s.finished_at, 'progress', s.progress, 'errorCode', s.error_code,
        'cancelRequestedAt', s.cancel_requested_at, 'heldBy', s.held_by, 'revision', substr(md5(s::text), 1, 16)
      )::text AS state
    FROM unnest(${toArray(ids)}::bigint[]) AS i (id)
    CROSS JOIN LATERAL (
      -- of the columns that change, and in UTC, whatever the session's settings are
      SELECT j.id::text, j.job_type AS type, j.queue, j.status, j.attempts, j.max_attempts, j.fence,
        to_char(j.run_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS run_at,
        to_char(j.claimed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS claimed_at,
        to_char(j.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS finished_at,
        j.progress, j.error_code,
        to_char(j.cancel_requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS cancel_requested_at,
        CASE WHEN j.run_at <= now() THEN j.held_by END AS held_by
      FROM duework.find_job(i.id) AS j
    ) AS s
  `,
  );
  return rows.map(({ state }) => parseExactly(state) as JobState);
}
