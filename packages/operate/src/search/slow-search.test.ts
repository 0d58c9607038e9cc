import { findIds, searchJobs, type JobSearch, type SearchPage, type SourceName } from '@duework/queue-core/internals';
import { queryRows, sql, type Sql } from '@duework/sql';
import { useTestDatabase } from '@duework/testing/fixtures';
import { beforeAll, expect, test } from '@jest/globals';
import { addJobs } from '../testing/add-jobs.js';
import { countJobs } from './sql/count-jobs.js';

const database = useTestDatabase();
const IDS = Array.from({ length: 9 }, (_, n) => n + 1);
beforeAll(async () => {
  await addJobs(
    database.db,
    (['queued', 'dead', 'succeeded'] as const).flatMap((status, group) =>
      IDS.map((n) => ({ id: group * 100 + n, status, isLate: true })),
    ),
  );
});

/** Every job fits, and each that is looked at takes a tenth of a second. */
const SLOW = sql`pg_sleep(0.1 + 0 * j.id) IS NOT NULL`;
/** At most so many are looked at in 0.7 s. */
const MOST = 8;
const byIds = (from: number): Sql =>
  sql`SELECT g.id FROM generate_series(${String(from)}::text::bigint, 500) AS g (id)`;

function search(names: readonly SourceName[], candidates: readonly Sql[] = []): JobSearch {
  const sources = names.map((name) => ({ name, candidates }));
  return { condition: SLOW, sources, running: null, since: null, until: null };
}

/** All pages from the first to the last: whatever a page has not come to is on the next one. */
async function readAll(slow: JobSearch): Promise<{ sizes: number[]; ids: number[] }> {
  const sizes: number[] = [];
  const ids: number[] = [];
  let cursor: string | null = null;
  do {
    const page: SearchPage = await searchJobs(database.db, slow, { limit: 100, cursor: cursor ?? undefined });
    expect(page.isComplete).toBe(page.nextCursor === null);
    sizes.push(page.jobs.length);
    ids.push(...page.jobs.map(({ id }) => Number(id)));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return { sizes, ids };
}

test.each([
  ['what waits, along its ids', search(['live']), [...IDS]],
  ['what is dead, along its ids', search(['dead']), IDS.map((n) => n + 100)],
  ['candidates', search(['live'], [byIds(0)]), [...IDS]],
] as const)(
  'a search in which each job costs much ends its page in time, and finds the rest on the next pages: %s',
  async (_what, slow, ids) => {
    const found = await readAll(slow);
    expect(found.ids).toEqual(ids.toReversed());
    expect(Math.max(...found.sizes)).toBeLessThanOrEqual(MOST);
    expect(Math.min(...found.sizes.slice(0, -1))).toBeGreaterThan(0);
  },
);

test('a page back from a place ends in time, too', async () => {
  const page = await searchJobs(database.db, search(['live']), { limit: 100, cursor: '+0' });
  expect(page.jobs.length).toBeGreaterThan(0);
  expect(page.jobs.length).toBeLessThanOrEqual(MOST);
  expect(page.isComplete).toBe(false);
  const ids = page.jobs.map(({ id }) => Number(id)).toReversed();
  expect(ids).toEqual(IDS.slice(0, ids.length));
});

test('a source that comes late is looked at, too, so that a page is of all of them', async () => {
  const { ids } = await readAll(search(['live', 'dead']));
  expect(ids).toEqual([...IDS.map((n) => n + 100).toReversed(), ...IDS.toReversed()]);
});

test('a count in which each job costs much is refused, and not a wrong one', async () => {
  expect(await countJobs(database.db, search(['live', 'dead', 'late']))).toBe(null);
});

test('each source ends in time', async () => {
  const options = { most: 101, budget: 20_000, isCounted: true };
  const rows = await queryRows<{ n: number; is_cut: boolean }>(
    database.db,
    sql`SELECT cardinality(f.ids) AS n, f.end_id IS NOT NULL AS is_cut
      FROM (${findIds(search(['live', 'dead', 'late']), null, options)}) AS f`,
  );
  expect(rows).toHaveLength(3);
  for (const { n, is_cut } of rows) {
    expect(is_cut).toBe(true);
    expect(n).toBeGreaterThan(0);
  }
  expect(rows.reduce((sum, { n }) => sum + n, 0)).toBeLessThanOrEqual(MOST + 2);
});
