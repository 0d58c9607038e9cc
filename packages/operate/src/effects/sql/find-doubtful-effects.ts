import { DueworkError, type Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { DoubtfulEffect, EffectFacts } from '../effect-check.js';
import { moment, NAMED, type TypeSpan } from './type-span.js';

/** Effects that are looked at: each takes about 1 µs. */
const MOST = 100_000;

type Found = Pick<EffectFacts, 'jobs' | 'done' | 'doing' | 'unknown' | 'repeated' | 'undone' | 'doubts'>;

/** Counts the effects that a type has begun in a span, and names those in doubt. Throws `span_too_wide`. */
export async function findDoubtfulEffects(db: Queryable, { type, sinceMs, untilMs }: TypeSpan): Promise<Found> {
  const [row] = await queryRows<{ found: string; over_ms: number | null }>(
    db,
    sql`
    WITH found AS MATERIALIZED (
      SELECT e.name, e.run_key, e.status, e.run_id, e.fence, e.started_at, e.repeats, e.undone
      FROM duework.job_effects AS e
      WHERE e.job_type = ${type}::text AND e.started_at >= ${moment(sinceMs)} AND e.started_at < ${moment(untilMs)}
      ORDER BY e.started_at
      LIMIT ${MOST + 1}::integer
    ),
    judged AS MATERIALIZED (
      SELECT f.*, CASE
          -- what no claim holds any more was cut off in the middle
          WHEN f.status = 'started' AND EXISTS (
            SELECT FROM duework.job_runs AS r WHERE r.id = f.run_id AND r.fence = f.fence AND r.status = 'running'
          ) THEN CASE WHEN f.repeats > 0 THEN 'repeated' ELSE 'doing' END
          WHEN f.status IN ('started', 'unknown') THEN 'unknown'
          WHEN f.repeats > 0 OR f.status = 'approved' THEN 'repeated'
          WHEN f.status = 'done' THEN 'done'
          ELSE 'undone'
        END AS verdict
      FROM found AS f
    ),
    doubts AS (
      SELECT d.* FROM (
        SELECT j.*, CASE WHEN j.verdict IN ('unknown', 'repeated') THEN j.verdict ELSE 'undone' END AS doubt,
          row_number() OVER (
            PARTITION BY CASE WHEN j.verdict IN ('unknown', 'repeated') THEN j.verdict ELSE 'undone' END ORDER BY j.started_at
          ) AS place
        FROM judged AS j WHERE j.verdict IN ('unknown', 'repeated') OR j.undone > 0
      ) AS d WHERE d.place <= ${NAMED}::integer
    )
    SELECT json_build_object(
        'jobs', (SELECT count(DISTINCT run_id) FROM judged),
        'done', (SELECT count(*) FROM judged WHERE verdict = 'done'),
        'doing', (SELECT count(*) FROM judged WHERE verdict = 'doing'),
        'unknown', (SELECT count(*) FROM judged WHERE verdict = 'unknown'),
        'repeated', (SELECT count(*) FROM judged WHERE verdict = 'repeated'),
        'undone', (SELECT count(*) FROM judged WHERE undone > 0),
        'doubts', coalesce((
          SELECT json_agg(json_build_object(
            'doubt', d.doubt, 'name', d.name, 'jobId', d.run_id::text, 'startedAt', date_part('epoch', d.started_at) * 1000,
            -- as once makes it: the number of a run alone is not enough over shards
            'lookFor', ${type}::text || ':' || CASE
              WHEN d.run_key = 'run:' || d.run_id THEN coalesce((SELECT 'run:' || s.name || '.' || d.run_id FROM duework.shard AS s), d.run_key)
              ELSE d.run_key
            END || ':' || d.name
          ) ORDER BY d.started_at, d.run_id, d.name)
          FROM doubts AS d
        ), '[]')
      )::text AS found,
      (SELECT date_part('epoch', f.started_at) * 1000 FROM found AS f OFFSET ${MOST}::integer)::float8 AS over_ms
  `,
  );
  const { found, over_ms } = row!;
  if (over_ms !== null)
    throw new DueworkError('span_too_wide', {
      type,
      what: 'effects',
      most: MOST,
      until: new Date(over_ms).toISOString(),
    });
  const { doubts, ...counts } = JSON.parse(found) as Omit<Found, 'doubts'> & {
    doubts: (Omit<DoubtfulEffect, 'startedAt'> & { startedAt: number })[];
  };
  return { ...counts, doubts: doubts.map((one) => ({ ...one, startedAt: new Date(one.startedAt) })) };
}
