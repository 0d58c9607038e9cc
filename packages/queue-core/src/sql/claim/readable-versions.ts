import type { ClaimableContract } from '../../ports/runs.js';
import { sql, type Sql, toArray } from '@duework/sql';

/** Each version of each type that a program can read, with the lease of its type: three lists, item by item. */
export interface ReadableVersions {
  readonly types: readonly string[];
  readonly versions: readonly number[];
  readonly leasesMs: readonly number[];
}

export function readableVersions(contracts: ReadonlyMap<string, ClaimableContract>): ReadableVersions {
  const types: string[] = [];
  const versions: number[] = [];
  const leasesMs: number[] = [];
  for (const [type, { oldestVersion, version, leaseMs }] of contracts) {
    for (let readable = oldestVersion; readable <= version; readable++) {
      types.push(type);
      versions.push(readable);
      leasesMs.push(leaseMs);
    }
  }
  return { types, versions, leasesMs };
}

/**
 * Whether the program can read run `j`. A hash table that is made once for a statement: a look into it costs 0.1 µs,
 * however many types there are. Without IS TRUE the types would become a join whose order follows the statistics.
 */
export const isReadable = ({ types, versions }: ReadableVersions): Sql => sql`((j.job_type, j.job_version) IN (
              SELECT * FROM unnest(${types}::text[], ${toArray(versions)}::text::integer[])
            )) IS TRUE`;
