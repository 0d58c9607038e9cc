import type pg from 'pg';
import { describeDatabaseError } from '../describe-database-error.js';
import { parseDatabaseUrl } from '../parse-database-url.js';
import { DUEWORK_ROLES } from '../roles/duework-roles.js';
import { openMigrationClient } from './open-migration-client.js';

/** What the schema of a database has, and what outlives it. */
export interface Removal {
  readonly database: string;
  /** false: the database has no schema duework. */
  readonly isThere: boolean;
  /** Jobs that wait or run. */
  readonly jobs: number;
  readonly schedules: number;
  /** How large it is, as PostgreSQL says it: `14 MB`. */
  readonly size: string;
  /** Workers that live: they have said so within three minutes, and have not stopped. */
  readonly workers: readonly string[];
  /** The roles of `applyRoles` that the server has. */
  readonly roles: readonly string[];
}

/** How long a removal waits for those who use the tables. */
const LOCK_TIMEOUT = '5s';

/** Says what `removeSchema` would drop, and changes nothing. Throws DatabaseError. */
export function readRemoval({ url }: { readonly url: string | undefined }): Promise<Removal> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<Omit<Removal, 'jobs' | 'schedules' | 'workers'>>(
      `SELECT current_database() AS database, to_regclass('duework.worker_contracts') IS NOT NULL AS "isThere",
        (SELECT pg_size_pretty(coalesce(sum(pg_total_relation_size(oid)), 0)) FROM pg_class
          WHERE relnamespace = to_regnamespace('duework') AND relkind IN ('r', 'm')) AS size,
        ARRAY(SELECT rolname::text FROM pg_roles WHERE rolname = ANY($1::text[]) ORDER BY 1) AS roles`,
      [DUEWORK_ROLES],
    );
    const found = rows[0]!;
    if (!found.isThere) return { ...found, jobs: 0, schedules: 0, workers: [] };
    const { rows: counts } = await client.query<Pick<Removal, 'jobs' | 'schedules' | 'workers'>>(
      `SELECT (SELECT count(*)::float8 FROM duework.job_runs) AS jobs, (SELECT count(*)::integer FROM duework.schedules) AS schedules,
        ARRAY(SELECT worker FROM duework.worker_contracts WHERE seen_at > now() - interval '3 minutes' ORDER BY 1) AS workers`,
    );
    return { ...found, ...counts[0]! };
  });
}

/**
 * `in_use`: somebody has used its tables for 5 s. `others`: would have been dropped with it, such as `view app.report`.
 */
export interface Removed {
  readonly state: 'gone' | 'in_use' | 'used_by_others';
  readonly others: readonly string[];
}

/**
 * Drops the schema duework with all that it has, in one transaction, and nothing else: where others depend on it (a view, a
 * foreign key, a default of yours), nothing is dropped. Throws DatabaseError.
 */
export function removeSchema({ url }: { readonly url: string | undefined }): Promise<Removed> {
  return withClient(url, async (client) => {
    await client.query(`BEGIN; SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    const before = await readOthers(client);
    try {
      await client.query('DROP SCHEMA duework CASCADE');
    } catch (error) {
      if ((error as { code?: unknown }).code !== '55P03') throw error;
      return { state: 'in_use', others: [] };
    }
    const left = new Set(await readOthers(client));
    const others = before.filter((name) => !left.has(name));
    await client.query(others.length === 0 ? 'COMMIT' : 'ROLLBACK');
    return { state: others.length === 0 ? 'gone' : 'used_by_others', others };
  });
}

/** What the database has outside of the schema, as `view app.report`. */
async function readOthers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    WITH objects (class, id, part) AS (
      SELECT 'pg_class'::regclass, oid, 0 FROM pg_class WHERE relkind <> 't' AND relnamespace <> 'pg_toast'::regnamespace
      UNION ALL SELECT 'pg_class'::regclass, attrelid, attnum FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE attnum > 0 AND NOT attisdropped AND relkind IN ('r', 'p', 'f')
      UNION ALL SELECT 'pg_constraint'::regclass, oid, 0 FROM pg_constraint
      UNION ALL SELECT 'pg_proc'::regclass, oid, 0 FROM pg_proc
      UNION ALL SELECT 'pg_attrdef'::regclass, oid, 0 FROM pg_attrdef
      UNION ALL SELECT 'pg_policy'::regclass, oid, 0 FROM pg_policy
      UNION ALL SELECT 'pg_trigger'::regclass, oid, 0 FROM pg_trigger WHERE NOT tgisinternal
    )
    SELECT o.type || ' ' || o.identity AS name
    FROM objects CROSS JOIN LATERAL pg_identify_object(class, id, part) AS o
    -- the server's own have lower numbers
    WHERE id >= 16384 AND o.schema IS DISTINCT FROM 'duework' AND o.schema IS DISTINCT FROM 'pg_toast' AND o.identity !~ '(^|(^| )(on|for) )duework[.]'
    ORDER BY 1`);
  return rows.map(({ name }) => name);
}

async function withClient<T>(url: string | undefined, act: (client: pg.Client) => Promise<T>): Promise<T> {
  try {
    const client = await openMigrationClient(parseDatabaseUrl(url));
    try {
      return await act(client);
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    throw describeDatabaseError(error, url, {});
  }
}
