import { findIds, findRunning, type JobSearch } from '@duework/queue-core/internals';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** Counts are exact up to this one. */
const MAX_COUNT = 10_000;
/** Rows that a count looks at in each of its sources, some 30 ms. */
const BUDGET = 20_000;

export interface JobCount {
  /** Not more than 10,000. */
  readonly count: number;
  /** There are more than these, or (of running runs under a backlog) may be. */
  readonly isAtLeast: boolean;
}

/** How many runs fit, or null: so many had to be looked at that there is no answer in bounded time. */
export async function countJobs(db: Queryable, search: JobSearch): Promise<JobCount | null> {
  const most = MAX_COUNT + 1;
  let found = 0;
  let isCut = false;
  if (search.sources.length > 0) {
    const [row] = await queryRows<{ found: number; is_cut: boolean }>(
      db,
      sql`
      SELECT coalesce(sum(cardinality(f.ids)), 0)::integer AS found, coalesce(bool_or(f.end_id IS NOT NULL), false) AS is_cut
      FROM (${findIds(search, null, { most, budget: BUDGET, isCounted: true })}) AS f
    `,
    );
    ({ found, is_cut: isCut } = row!);
    if (isCut && found <= MAX_COUNT) return null;
  }
  if (search.running !== null && found <= MAX_COUNT) {
    const [row] = await queryRows<{ found: number; is_cut: boolean }>(
      db,
      sql`
      SELECT cardinality(f.ids) AS found, f.end_id IS NOT NULL AS is_cut FROM (${findRunning(search, null, most, BUDGET)}) AS f
    `,
    );
    found += row!.found;
    isCut = row!.is_cut;
  }
  return { count: Math.min(found, MAX_COUNT), isAtLeast: isCut || found > MAX_COUNT };
}
