import type { ContractRow } from '../../ports/upkeep.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/**
 * Writes versions that the registry does not know; what it knows meanwhile stays as it is. Returns how many were written:
 * fewer than given where another program was faster.
 */
export async function insertContracts(db: Queryable, rows: readonly ContractRow[]): Promise<number> {
  const written = await queryRows(
    db,
    sql`
    INSERT INTO duework.job_contracts (type, version, payload_schema, checksum)
    SELECT type, version, schema, checksum
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS x (type text, version integer, schema jsonb, checksum text)
    -- every program writes in this order, so that two deploys cannot deadlock
    ORDER BY type, version
    ON CONFLICT (type, version) DO NOTHING
    RETURNING type
  `,
  );
  return written.length;
}
