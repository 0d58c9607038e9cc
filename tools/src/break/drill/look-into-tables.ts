/** The queries of the drill on the tables, through one Prisma client. */
import type { RawQueryable } from '@duework/database';
import { Prisma } from '@duework/database';

const read = <T>(db: RawQueryable, sql: Prisma.Sql): Promise<T[]> => db.$queryRaw<T[]>(sql);

/** The one row of a query that always returns one. */
async function readOne<T>(db: RawQueryable, sql: Prisma.Sql): Promise<T> {
  const [row] = await read<T>(db, sql);
  if (row === undefined) throw new Error(`There is no answer to ${sql.text}`);
  return row;
}

/** A run and the claim under which it is held. */
export interface HeldRun {
  readonly id: string;
  readonly fence: string;
}

/** The runs that a worker holds: their ids and their claims. */
export const findHeld = (db: RawQueryable, worker: string): Promise<HeldRun[]> =>
  read<HeldRun>(
    db,
    Prisma.sql`
      SELECT id::text AS id, fence::text AS fence FROM duework.job_runs WHERE status = 'running' AND starts_with(locked_by, ${`${worker}-`})`,
  );

/** How many of those are still its own: neither due again nor begun by another worker. */
export async function countStillHeld(db: RawQueryable, held: readonly HeldRun[]): Promise<number> {
  const ids = held.map(({ id }) => id);
  const fences = held.map(({ fence }) => fence);
  const { count } = await readOne<{ count: number }>(
    db,
    Prisma.sql`
      SELECT count(*)::integer AS count
      FROM duework.job_runs r
      JOIN unnest(${ids}::bigint[], ${fences}::bigint[]) AS h (id, fence) USING (id, fence)
      WHERE r.status = 'running'`,
  );
  return count;
}

/** How many runs have not ended. */
export async function countLive(db: RawQueryable): Promise<number> {
  return (await readOne<{ count: number }>(db, Prisma.sql`SELECT count(*)::integer AS count FROM duework.job_runs`))
    .count;
}

/** The runs that wait for a person, because nobody knows whether their mail was sent. */
export const findUnknown = (db: RawQueryable): Promise<{ readonly id: string; readonly key: string }[]> =>
  read(
    db,
    Prisma.sql`
      SELECT id::text AS id, idempotency_key AS key FROM duework.job_history WHERE status = 'dead' AND error_code = 'effect_unknown'`,
  );

export interface Figures {
  readonly succeeded: number;
  readonly released: number;
  readonly overcharged: number;
}

/** The final statuses of the runs, and their charged attempts. */
export const readFigures = (db: RawQueryable): Promise<Figures> =>
  readOne<Figures>(
    db,
    Prisma.sql`
      SELECT
        (SELECT count(*)::integer FROM duework.job_history WHERE status = 'succeeded') AS succeeded,
        (SELECT count(*)::integer FROM duework.job_attempts WHERE outcome = 'interrupted') AS released,
        -- a run pays for the attempt that succeeded, for those that failed and for those whose worker was lost; not for a deploy
        (SELECT count(*)::integer FROM duework.job_history h WHERE h.attempts > 1 + (
          SELECT count(*) FROM duework.job_attempts a WHERE a.run_id = h.id AND a.outcome IN ('failed', 'lost'))) AS overcharged`,
  );
