import type { JobFilter } from '@duework/filter';
import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import { waitingAt } from './compile-filter.js';
import type { JobCount } from './count-jobs.js';

const MOST = 10_000;

/** Counts what waits at some steps, in their index alone; null: the filter asks for more than for steps and types. */
export async function countWaiting(db: Queryable, { terms }: JobFilter): Promise<JobCount | null> {
  const of = (field: 'at' | 'type'): readonly string[] | null =>
    terms.flatMap((term) => (term.field === field && !term.isNot ? [term.values] : []))[0] ?? null;
  const [steps, types] = [of('at'), of('type')];
  if (steps === null || terms.length > (types === null ? 1 : 2)) return null;
  const [row] = await queryRows<{ jobs: number; waits: number }>(
    db,
    sql`
    SELECT count(DISTINCT w.id)::integer AS jobs, count(*)::integer AS waits
    FROM (${waitingAt(steps, types)} LIMIT ${MOST + 1}::integer) AS w
  `,
  );
  const { jobs, waits } = row!;
  return { count: Math.min(jobs, MOST), isAtLeast: waits > MOST };
}
