import { sql, type Sql } from '@duework/sql';

/** Keeps the deleted rows of `gone`, so that it can be said who could run a type last, and when. */
export const keepPastWorkers: Sql = sql`
      INSERT INTO duework.past_workers (worker, started_at, seen_at, queues, contracts, host, pid, code_version)
      SELECT worker, started_at, seen_at, queues, contracts, host, pid, code_version FROM gone
      ON CONFLICT (worker, started_at) DO UPDATE SET seen_at = excluded.seen_at`;
