/** What the tables say while the drill runs; everything through one Prisma client. */

/** The runs that a worker holds: their ids, and which claim it is. */
export const findHeld = (db, worker) => db.$queryRaw`
  SELECT id::text AS id, fence::text AS fence FROM duework.job_runs WHERE status = 'running' AND locked_by = ${worker}`;

/** Of those, how many are still its own: neither due again nor begun by another worker. */
export async function countStillHeld(db, held) {
  const [{ count }] = await db.$queryRaw`
    SELECT count(*)::integer AS count
    FROM duework.job_runs r
    JOIN unnest(${held.map(({ id }) => id)}::bigint[], ${held.map(({ fence }) => fence)}::bigint[]) AS h (id, fence) USING (id, fence)
    WHERE r.status = 'running'`;
  return count;
}

export async function countLive(db) {
  const [{ count }] = await db.$queryRaw`SELECT count(*)::integer AS count FROM duework.job_runs`;
  return count;
}

/** The runs that wait for a person: nobody can say whether their mail was sent. */
export const findUnknown = (db) => db.$queryRaw`
  SELECT id::text AS id, idempotency_key AS key FROM duework.job_history WHERE status = 'dead' AND error_code = 'effect_unknown'`;

export async function readFigures(db) {
  const [figures] = await db.$queryRaw`
    SELECT
      (SELECT count(*)::integer FROM duework.job_history WHERE status = 'succeeded') AS succeeded,
      (SELECT count(*)::integer FROM duework.job_attempts WHERE outcome = 'interrupted') AS released,
      -- a run pays for the attempt that succeeded, for those that failed and for those whose worker was lost; not for a deploy
      (SELECT count(*)::integer FROM duework.job_history h WHERE h.attempts > 1 + (
        SELECT count(*) FROM duework.job_attempts a WHERE a.run_id = h.id AND a.outcome IN ('failed', 'lost'))) AS overcharged`;
  return figures;
}
