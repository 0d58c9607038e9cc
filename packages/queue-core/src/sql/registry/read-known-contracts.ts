import type { JsonSchema } from '@duework/contracts';
import type { ContractRow } from '../../ports/upkeep.js';
import { queryRows, sql, type Queryable, toArray } from '@duework/sql';

/** A version that the registry knows. `schema`: null where the checksum is the given one. */
export interface KnownContract {
  readonly type: string;
  readonly version: number;
  readonly schema: JsonSchema | null;
}

/** Which of these versions the registry knows, and the schemas of those whose checksum is another one. */
export async function readKnownContracts(db: Queryable, rows: readonly ContractRow[]): Promise<KnownContract[]> {
  return queryRows(
    db,
    sql`
    SELECT c.type, c.version, CASE WHEN c.checksum <> g.checksum THEN c.payload_schema END AS schema
    FROM unnest(
      ${toArray(rows.map(({ type }) => type))}::text::text[],
      ${toArray(rows.map(({ version }) => version))}::text::integer[],
      ${toArray(rows.map(({ checksum }) => checksum))}::text::text[]
    ) AS g (type, version, checksum)
    JOIN duework.job_contracts AS c ON (c.type, c.version) = (g.type, g.version)
  `,
  );
}
