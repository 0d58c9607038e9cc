import type { Queryable } from '@duework/queue-core';
import type { ChangedSlots } from '@duework/queue-core/ports';
import { queryRows, sql } from '@duework/sql';

export interface Resizable {
  readonly workers: readonly {
    readonly name: string;
    readonly queues: readonly string[];
    readonly declared: number | null;
  }[];
  readonly changed: ChangedSlots;
  readonly maxConnections: number;
}

/** The live workers of a queue, by name, and what is set for each queue. */
export async function findResizable(db: Queryable, queue: string): Promise<Resizable> {
  const [row] = await queryRows<{ found: string }>(
    db,
    sql`
    SELECT json_build_object(
      'workers', coalesce((
        SELECT json_agg(json_build_object('name', w.worker, 'queues', w.queues, 'declared', coalesce(w.declared_slots, w.slots))
          ORDER BY w.worker)
        FROM duework.worker_contracts AS w
        WHERE w.seen_at > now() - interval '3 minutes' AND ${queue}::text = ANY(w.queues)
          AND w.worker <> ALL(ARRAY(SELECT l.name FROM duework.lost_workers AS l))
      ), '[]'),
      'changed', coalesce((SELECT json_object_agg(q.queue, q.slots) FROM duework.queue_slots AS q), '{}'),
      'maxConnections', current_setting('max_connections')::integer
    )::text AS found
  `,
  );
  return JSON.parse(row!.found) as Resizable;
}
