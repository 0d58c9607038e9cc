import type { Json } from '../../queue/job.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** Id, type, version and payload of a live run. */
export type LivePayload = readonly [id: string, type: string, version: number, payload: Json];

/** Below every id. */
export const BEFORE_ALL = '-9223372036854775808';

const BATCH = 2_000;
/** As the server stores them; it compresses large ones. */
const BATCH_BYTES = 4_194_304;

/**
 * The next live runs behind `afterId`, by id, up to `lastId`: at most 2,000, and no more than some 4 MB of payloads beside
 * the first. None: there are no more.
 */
export async function readPayloadBatch(
  db: Queryable,
  afterId: string,
  lastId: string,
): Promise<readonly LivePayload[]> {
  const [row] = await queryRows<{ runs: string }>(
    db,
    sql`
    SELECT coalesce(json_agg(json_build_array(b.id::text, b.job_type, b.job_version, b.payload) ORDER BY b.id), '[]')::text AS runs
    FROM duework.read_payloads(${afterId}::bigint, ${lastId}::bigint, ${BATCH}::integer, ${BATCH_BYTES}::bigint) AS b
  `,
  );
  return JSON.parse(row!.runs) as LivePayload[];
}
