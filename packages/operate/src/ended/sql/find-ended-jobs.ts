import type { Job, Queryable } from '@duework/queue-core';
import { jobAsJson, toJob } from '@duework/queue-core/internals';
import { queryRows, sql, toArray } from '@duework/sql';

export interface EndedQuery {
  /** null: from the oldest that is kept. */
  readonly after: string | null;
  /** null: of every type. */
  readonly types: readonly string[] | null;
  readonly limit: number;
}

export interface EndedPage {
  readonly jobs: Job[];
  /** null: `after` is not of this database, or of what it has lost. */
  readonly cursor: string | null;
  readonly isCaughtUp: boolean;
}

/** A page of what has ended, as `duework.read_ended` walks it: one statement, and so one snapshot. */
export async function findEndedJobs(db: Queryable, { after, types, limit }: EndedQuery): Promise<EndedPage> {
  const rows = await queryRows<{ job: string | null; cursor: string | null; is_caught_up: boolean }>(
    db,
    sql`
    SELECT CASE WHEN j.id IS NOT NULL THEN ${jobAsJson} END AS job, e.next_cursor AS cursor, e.is_caught_up
    FROM duework.read_ended(${after}::text, ${types === null ? null : toArray(types)}::text[], ${limit}::integer) AS e
    CROSS JOIN LATERAL (SELECT (e.job).*) AS j
  `,
  );
  const { cursor, is_caught_up: isCaughtUp } = rows.pop()!;
  return { jobs: rows.map(({ job }) => toJob(job!)), cursor, isCaughtUp };
}
