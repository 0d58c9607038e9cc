import type { JsonSchema } from '@duework/contracts';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** One version of a type, as the registry knows it. */
export interface RegisteredVersion {
  readonly version: number;
  readonly firstSeenAt: Date;
  readonly payloadSchema: JsonSchema;
  /** The workers that live and read it, by name. */
  readonly workers: readonly string[];
}

/** A type with its versions, the oldest first. */
export interface RegisteredContract {
  readonly type: string;
  /** What the newest contract that a worker has run says; null: none has. */
  readonly defaults: {
    readonly version: number;
    readonly queue: string;
    readonly priority: number;
    readonly maxAttempts: number;
    readonly timeoutMs: number;
    readonly leaseMs: number;
    readonly retry: { readonly kind: string; readonly [option: string]: unknown };
    /** Of a run that is enqueued without a payload; null: it needs one. */
    readonly payload: unknown;
  } | null;
  readonly versions: readonly RegisteredVersion[];
}

type Row = {
  readonly [K in keyof RegisteredContract]: K extends 'versions' ? readonly VersionRow[] : RegisteredContract[K];
};
type VersionRow = Omit<RegisteredVersion, 'firstSeenAt'> & { readonly firstSeenMs: number };

/**
 * Every contract that was ever pushed or run, by type. A worker whose session has ended, or that was
 * not heard of for three minutes, reads nothing.
 */
export async function readRegistry(db: Queryable): Promise<RegisteredContract[]> {
  const [row] = await queryRows<{ contracts: string }>(
    db,
    sql`
    SELECT coalesce(json_agg(t.contract ORDER BY t.type COLLATE "C"), '[]')::text AS contracts
    FROM (
      SELECT c.type, json_build_object(
        'type', c.type,
        'defaults', (
          SELECT json_build_object('version', d.version, 'queue', d.queue, 'priority', d.priority, 'maxAttempts', d.max_attempts,
            'timeoutMs', d.timeout_ms, 'leaseMs', d.lease_ms, 'retry', d.retry, 'payload', d.default_payload)
          FROM duework.job_definitions AS d WHERE d.type = c.type
        ),
        'versions', json_agg(json_build_object(
          'version', c.version, 'firstSeenMs', extract(epoch FROM c.first_seen_at) * 1000, 'payloadSchema', c.payload_schema,
          'workers', (
            SELECT coalesce(json_agg(w.worker ORDER BY w.worker COLLATE "C"), '[]')
            FROM duework.worker_contracts AS w
            WHERE c.version BETWEEN (w.contracts -> c.type ->> 0)::integer AND (w.contracts -> c.type ->> 1)::integer
              AND w.seen_at > now() - interval '3 minutes'
              AND w.worker <> ALL(ARRAY(SELECT l.name FROM duework.lost_workers AS l))
          )
        ) ORDER BY c.version)
      ) AS contract
      FROM duework.job_contracts AS c
      GROUP BY c.type
    ) t
  `,
  );
  return (JSON.parse(row!.contracts) as Row[]).map(({ versions, ...contract }) => ({
    ...contract,
    versions: versions.map(({ firstSeenMs, ...version }) => ({ ...version, firstSeenAt: new Date(firstSeenMs) })),
  }));
}
