import { queryRows, sql } from '@duework/sql';
import type { Queryable } from '@duework/queue-core';

export interface PartitionFacts {
  /** Partitions of the next days, today's first, and whether each is there. */
  readonly days: readonly { readonly name: string; readonly daysAhead: number; readonly isThere: boolean }[];
  /** The default partitions that hold rows. */
  readonly filledDefaults: readonly string[];
  /** What else looks at each table that is made or dropped, and may refuse it. */
  readonly eventTriggers: readonly string[];
  /** How many tables and indexes the days of the history have: a query over all of it locks each. */
  readonly locked: number;
  /** How many locks the server has room for at least. */
  readonly room: number;
}

/** Of `days` days from today on, in UTC. */
export async function readPartitions(db: Queryable, days: number): Promise<PartitionFacts> {
  const [row] = await queryRows<{ facts: string }>(
    db,
    sql`
    SELECT json_build_object(
      'days', (
        SELECT json_agg(json_build_object('name', p.name, 'daysAhead', p.ahead, 'isThere', to_regclass('duework.' || p.name) IS NOT NULL)
          ORDER BY p.ahead, p.name)
        FROM (
          SELECT parent || '_' || to_char(duework.day_of_id(duework.first_id_today(ahead)), 'YYYYMMDD') AS name, ahead
          FROM unnest(ARRAY['job_history_succeeded', 'job_attempts']) AS parent, generate_series(0, ${days}::integer - 1) AS ahead
        ) p
      ),
      'eventTriggers', coalesce((
        SELECT json_agg(e.evtname ORDER BY e.evtname) FROM pg_event_trigger AS e
        WHERE e.evtenabled <> 'D' AND (e.evttags IS NULL OR e.evttags && ARRAY['CREATE TABLE', 'ALTER TABLE', 'DROP TABLE'])
      ), '[]'),
      'locked', (
        SELECT count(DISTINCT i.inhrelid) + count(x.indexrelid) FROM pg_inherits AS i
        LEFT JOIN pg_index AS x ON x.indrelid = i.inhrelid
        WHERE i.inhparent = 'duework.job_history_days'::regclass
      ),
      'room', current_setting('max_locks_per_transaction')::integer
        * (current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer),
      'filledDefaults', array_remove(ARRAY[
        CASE WHEN EXISTS (SELECT FROM duework.job_history_days_default) THEN 'job_history_days_default' END,
        CASE WHEN EXISTS (SELECT FROM duework.job_attempts_days_default) THEN 'job_attempts_days_default' END
      ], NULL)
    )::text AS facts
  `,
  );
  return JSON.parse(row!.facts) as PartitionFacts;
}
