import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** Which workers could take a run. */
export interface Readers {
  /** The workers that live; those among them that run the type, that also claim from its queue, and that can take it. */
  readonly workers: number;
  readonly ofType: number;
  readonly ofQueue: number;
  readonly able: number;
  /** The labels of the type's contract. */
  readonly labels: readonly string[];
  /** The types that those who claim from the queue can run. */
  readonly types: readonly string[];
  /** The worker that could take it last, and when it was seen, in milliseconds since 1970; null: none is known. */
  readonly lastWorker: string | null;
  readonly lastSeenMs: number | null;
}

/** Reads the workers of now; where none is able it looks among those of the past 30 days. */
export async function findReaders(
  db: Queryable,
  { queue, type, version }: { readonly queue: string; readonly type: string; readonly version: number },
): Promise<Readers> {
  const [row] = await queryRows<{ readers: string }>(
    db,
    sql`
    WITH workers AS MATERIALIZED (
      SELECT w.*, w.contracts ? ${type}::text AS has_type, ${queue}::text = ANY(w.queues) AS has_queue,
        coalesce(${version}::integer BETWEEN (w.contracts -> ${type}::text ->> 0)::integer AND (w.contracts -> ${type}::text ->> 1)::integer, false)
          AS has_version,
        w.seen_at > now() - interval '3 minutes'
        AND w.worker <> ALL(ARRAY(SELECT l.name FROM duework.lost_workers AS l))
        AS is_live
      FROM duework.worker_contracts AS w
    ),
    counted AS MATERIALIZED (
      SELECT count(*) AS workers, count(*) FILTER (WHERE has_type) AS of_type,
        count(*) FILTER (WHERE has_type AND has_queue) AS of_queue, count(*) FILTER (WHERE has_version AND has_queue) AS able
      FROM workers WHERE is_live
    ),
    last AS (
      SELECT worker, seen_at FROM (
        SELECT worker, seen_at FROM workers WHERE NOT is_live AND has_version AND has_queue
        UNION ALL
        (
          SELECT p.worker, p.seen_at FROM duework.past_workers AS p
          WHERE ${queue}::text = ANY(p.queues)
            AND ${version}::integer BETWEEN (p.contracts -> ${type}::text ->> 0)::integer AND (p.contracts -> ${type}::text ->> 1)::integer
          ORDER BY p.seen_at DESC LIMIT 1
        )
      ) AS w
      WHERE (SELECT able FROM counted) = 0
      ORDER BY seen_at DESC LIMIT 1
    )
    SELECT json_build_object(
      'workers', c.workers, 'ofType', c.of_type, 'ofQueue', c.of_queue, 'able', c.able,
      'labels', coalesce((SELECT d.labels FROM duework.job_definitions AS d WHERE d.type = ${type}::text), '{}'),
      'types', coalesce((
        SELECT json_agg(DISTINCT k) FROM workers AS w CROSS JOIN LATERAL jsonb_object_keys(w.contracts) AS k WHERE w.is_live AND w.has_queue
      ), '[]'),
      'lastWorker', (SELECT worker FROM last), 'lastSeenMs', (SELECT extract(epoch FROM seen_at) * 1000 FROM last)
    )::text AS readers
    FROM counted AS c
  `,
  );
  return JSON.parse(row!.readers) as Readers;
}
