import type { Json } from '../../queue/job.js';
import { queryRows, sql, type Queryable } from '@duework/sql';
import { BEFORE_ALL } from './read-payload-batch.js';

/** Payloads of live runs of one type. */
export interface PayloadSample {
  /** By id. */
  readonly runs: readonly (readonly [id: string, version: number, payload: Json])[];
  /** How many live runs of any type were looked at. */
  readonly looked: number;
  /** Every live run of the type is among `runs`. */
  readonly isComplete: boolean;
}

/** From each end of the table. Its bytes are as the server stores them. */
const LOOKED = 5_000;
const LOOKED_BYTES = 33_554_432;
const PICKED = 250;
const PICKED_BYTES = 4_194_304;

/**
 * Live runs of a type among the oldest 5,000 runs and the newest 5,000: at most 250 of each, and no more than some 4 MB
 * of payloads. What is stuck is old, and what a deploy has just begun to send is new.
 */
export async function readPayloadSample(db: Queryable, type: string): Promise<PayloadSample> {
  const [row] = await queryRows<{ runs: string; looked: number; isComplete: boolean }>(
    db,
    sql`
    WITH ends AS MATERIALIZED (
      SELECT max(j.id) AS last_id FROM duework.job_runs AS j
    ), oldest AS MATERIALIZED (
      SELECT r.* FROM ends AS e
      CROSS JOIN LATERAL duework.read_payloads(${BEFORE_ALL}::bigint, e.last_id, ${LOOKED}::integer, ${LOOKED_BYTES}::bigint) AS r
    ), newest AS MATERIALIZED (
      SELECT r.* FROM ends AS e
      -- ids of one day go up by one, so that this span holds the newest
      CROSS JOIN LATERAL duework.read_payloads(
        greatest(e.last_id - ${LOOKED}::bigint, (SELECT max(o.id) FROM oldest AS o)), e.last_id, ${LOOKED}::integer, ${LOOKED_BYTES}::bigint
      ) AS r
    ), picked AS (
      (SELECT o.* FROM oldest AS o WHERE o.job_type = ${type}::text ORDER BY o.id LIMIT ${PICKED}::integer)
      UNION ALL
      (SELECT n.* FROM newest AS n WHERE n.job_type = ${type}::text ORDER BY n.id DESC LIMIT ${PICKED}::integer)
    ), held AS (
      SELECT p.*, sum(pg_column_size(p.payload)) OVER (ORDER BY p.id) - pg_column_size(p.payload) AS bytes_before FROM picked AS p
    ), kept AS (
      SELECT count(*) AS number, coalesce(json_agg(json_build_array(h.id::text, h.job_version, h.payload) ORDER BY h.id), '[]')::text AS runs
      FROM held AS h
      WHERE h.bytes_before < ${PICKED_BYTES}::bigint
    ), counted AS (
      SELECT count(*) AS looked, count(*) FILTER (WHERE l.job_type = ${type}::text) AS found
      FROM (SELECT o.job_type FROM oldest AS o UNION ALL SELECT n.job_type FROM newest AS n) AS l
    )
    SELECT k.runs, c.looked::float8 AS looked,
      k.number = c.found AND coalesce((SELECT max(o.id) FROM oldest AS o) = e.last_id, e.last_id IS NULL) AS "isComplete"
    FROM kept AS k CROSS JOIN counted AS c CROSS JOIN ends AS e
  `,
  );
  const { runs, looked, isComplete } = row!;
  return { runs: JSON.parse(runs) as PayloadSample['runs'], looked, isComplete };
}
