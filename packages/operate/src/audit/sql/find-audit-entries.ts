import type { Queryable } from '@duework/queue-core';
import { empty, join, queryRows, sql } from '@duework/sql';

export interface AuditRow {
  readonly id: string;
  readonly atMs: number;
  /** Microseconds since 1970: where a page ends. */
  readonly atMicros: string;
  readonly by: string;
  readonly via: 'api' | 'command' | 'program';
  readonly from: string | null;
  readonly verb: string;
  readonly kind: string;
  readonly target: string;
  readonly before: { readonly [name: string]: unknown } | null;
  readonly after: { readonly [name: string]: unknown } | null;
  readonly reason: string | null;
}

export interface AuditQuery {
  readonly by?: string | undefined;
  readonly verb?: string | undefined;
  readonly kind?: string | undefined;
  readonly target?: string | undefined;
  readonly job?: string | undefined;
  readonly since?: string | undefined;
  /** Only what is older than this entry. */
  readonly before?: { readonly atMicros: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** Entries of the audit, newest first. */
export async function findAuditEntries(db: Queryable, query: AuditQuery): Promise<AuditRow[]> {
  const { by, verb, kind, target, job, since, before, limit } = query;
  const conditions = [
    ...(by === undefined ? [] : [sql`e.by = ${by}::text`]),
    ...(verb === undefined ? [] : [sql`e.verb = ${verb}::text`]),
    ...(kind === undefined ? [] : [sql`e.kind = ${kind}::text`]),
    ...(target === undefined ? [] : [sql`e.target = ${target}::text`]),
    ...(since === undefined ? [] : [sql`e.at >= ${since}::text::timestamptz`]),
    ...(before === undefined
      ? []
      : [
          sql`(e.at, e.id) < (
            timestamptz 'epoch' + ${before.atMicros}::bigint * interval '1 microsecond', ${before.id}::bigint
          )`,
        ]),
    ...(job === undefined
      ? []
      : [
          sql`(e.kind, e.target) IN (
            SELECT 'job', ${job}::text
            UNION ALL
            SELECT 'bulk_action', r.bulk_action_id::text FROM duework.bulk_action_runs AS r
            WHERE r.last_id >= ${job}::bigint AND r.first_id <= ${job}::bigint AND ${job}::bigint = ANY(r.run_ids)
          )`,
        ]),
  ];
  const rows = await queryRows<{ entry: string }>(
    db,
    sql`
    SELECT json_build_object(
      'id', e.id::text, 'atMs', extract(epoch FROM e.at) * 1000, 'atMicros', (extract(epoch FROM e.at) * 1000000)::bigint::text,
      'by', e.by, 'via', e.via, 'from', e.from_address, 'verb', e.verb, 'kind', e.kind, 'target', e.target,
      'before', e.before, 'after', e.after, 'reason', e.reason
    )::text AS entry
    FROM duework.audit_entries AS e
    ${conditions.length === 0 ? empty : sql`WHERE ${join(conditions, ' AND ')}`}
    ORDER BY e.at DESC, e.id DESC
    LIMIT ${limit}::integer
  `,
  );
  return rows.map(({ entry }) => JSON.parse(entry) as AuditRow);
}
