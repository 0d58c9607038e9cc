import { queryRows, sql, type Queryable } from '@duework/sql';

/** What a type calls sensitive, as its newest worker has told. */
export interface SensitivePaths {
  /** In payloads of every version. */
  readonly sensitiveEver: readonly string[];
  readonly sensitiveResult: readonly string[];
}

/**
 * What each type calls sensitive, for whoever shows payloads without the program that defines the contracts. A type that no
 * worker has told of is missing: `redactPayload` then shows nothing.
 */
export async function readSensitivePaths(db: Queryable): Promise<ReadonlyMap<string, SensitivePaths>> {
  const [row] = await queryRows<{ paths: string }>(
    db,
    sql`
    SELECT coalesce(json_object_agg(type, json_build_object('sensitiveEver', sensitive, 'sensitiveResult', sensitive_result)), '{}')::text
      AS paths
    FROM duework.job_definitions
  `,
  );
  return new Map(Object.entries(JSON.parse(row!.paths) as Record<string, SensitivePaths>));
}
