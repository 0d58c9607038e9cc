import type { Catalog } from '@duework/contracts';
import { queryRows, sql, toArray, type Queryable } from '@duework/sql';
import type { ContractRow } from '../../ports/upkeep.js';
import { definitionColumns, givenDefinitions } from './given-definitions.js';

/** What a worker would write at its start, and whether it is there. */
export interface RegistryLook {
  /** The name of the shard that this database is; null: it is one for itself. */
  readonly shard: string | null;
  /** The history has its partitions up to the last of the days ahead. */
  readonly hasPartitions: boolean;
  /** Every definition of the catalog is there, as the catalog has it. */
  readonly isDefined: boolean;
  /** The registry knows every version of the catalog, with its schema. */
  readonly isKnown: boolean;
  /** The types of the catalog whose runs are still to get the gates of other rules. */
  readonly changing: readonly string[];
}

/**
 * One look in place of the statements that write it. Whoever has the same definitions has nothing to do about flow rules: each
 * who writes a definition writes the rules of all.
 */
export async function lookAtRegistry(
  db: Queryable,
  catalog: Catalog,
  versions: readonly ContractRow[],
  daysAhead: number,
): Promise<RegistryLook> {
  const [look] = await queryRows<RegistryLook>(
    db,
    sql`
    SELECT (SELECT s.name FROM duework.shard AS s) AS shard,
      (
        SELECT count(to_regclass('duework.' || p.name || to_char(duework.day_of_id(duework.first_id_today(${daysAhead}::integer)), 'YYYYMMDD'))) = 2
        FROM (VALUES ('job_history_succeeded_'), ('job_attempts_')) AS p (name)
      ) AS "hasPartitions",
      NOT EXISTS (${givenDefinitions(catalog)} EXCEPT SELECT ${definitionColumns} FROM duework.job_definitions) AS "isDefined",
      NOT EXISTS (
        SELECT FROM unnest(
          ${toArray(versions.map(({ type }) => type))}::text::text[],
          ${toArray(versions.map(({ version }) => version))}::text::integer[],
          ${toArray(versions.map(({ checksum }) => checksum))}::text::text[]
        ) AS g (type, version, checksum)
        WHERE NOT EXISTS (
          SELECT FROM duework.job_contracts AS c WHERE (c.type, c.version, c.checksum) = (g.type, g.version, g.checksum)
        )
      ) AS "isKnown",
      ARRAY(
        SELECT d.type FROM duework.job_definitions AS d
        WHERE d.gates_after IS NOT NULL AND d.type = ANY(${toArray(catalog.map(({ type }) => type))}::text::text[])
      ) AS changing
  `,
  );
  return look!;
}
