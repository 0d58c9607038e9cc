import { DueworkError } from '@duework/sql/errors';
import type { Job, ListedJob } from '../../queue/job.js';
import { conditionText } from './condition-text.js';
import { jobAsJson, listedJobAsJson, toJob, toListedJob } from './job-row.js';
import type { JobSearch, SearchMoment } from './job-search.js';
import { queryRows, sql, type Queryable, type Sql, toArray } from '@duework/sql';

/** Rows that a search looks at in each of its sources, some 30 ms. */
const BUDGET = 20_000;
const MAX_ID = '9223372036854775807';

/** One page, newest first by id; running runs the longest due first. */
export interface SearchPage<TJob = Job> {
  readonly jobs: readonly TJob[];
  /** The next page; null: this is the last. */
  readonly nextCursor: string | null;
  /** The page before this one; null: there was none. */
  readonly previousCursor: string | null;
  /** false: the search reached its limit before the page was full. More may match: continue with the cursor. */
  readonly isComplete: boolean;
}

/** Where a page begins: behind (or, going back, before) a run. `micros` is its due time where that is the order. */
interface Place {
  readonly isBack: boolean;
  readonly micros: string | null;
  readonly id: string;
}

interface PageRow {
  readonly job: string | null;
  /** Of a run its cursor, of the last row that of the place up to which everything was looked at. */
  readonly place: string;
}

interface SearchOptions {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** What a page shows of a run `j`, and how that is read. */
interface Shown<TJob> {
  readonly columns: Sql;
  readonly read: (json: string) => TJob;
}

const WHOLE: Shown<Job> = { columns: jobAsJson, read: toJob };
const LISTED: Shown<ListedJob> = { columns: listedJobAsJson, read: toListedJob };

/**
 * A page of the runs that fit. `cursor` is one that a page of the same search has returned; without one it is the first
 * page. Throws `invalid_cursor`.
 */
export function searchJobs(db: Queryable, search: JobSearch, options: SearchOptions): Promise<SearchPage> {
  return readPage(db, search, options, WHOLE);
}

/** The same, of what lists show: of large payloads nothing is read. */
export function searchListedJobs(
  db: Queryable,
  search: JobSearch,
  options: SearchOptions,
): Promise<SearchPage<ListedJob>> {
  return readPage(db, search, options, LISTED);
}

async function readPage<TJob>(
  db: Queryable,
  search: JobSearch,
  { limit, cursor }: SearchOptions,
  { columns, read }: Shown<TJob>,
): Promise<SearchPage<TJob>> {
  const isRunning = search.running !== null;
  const from = cursor === undefined ? null : readCursor(cursor, isRunning);
  const toStatement = isRunning ? pageOfRunning : pageById;
  const rows = await queryRows<PageRow>(db, toStatement(search, from, limit + 1, columns));
  const { shown, ...page } = toPage(rows, from, cursor, limit);
  return { jobs: shown.map(({ job }) => read(job!)), ...page };
}

function toPage(
  rows: readonly PageRow[],
  from: Place | null,
  cursor: string | undefined,
  limit: number,
): Omit<SearchPage, 'jobs'> & { readonly shown: readonly PageRow[] } {
  const isBack = from?.isBack ?? false;
  const shown = rows.filter(({ job }) => job !== null).slice(0, limit);
  const end = rows.find(({ job }) => job === null)?.place ?? null;
  const isFull = rows.length - (end === null ? 0 : 1) > limit;
  const isComplete = isFull || end === null;
  // the way it went: on from the last run, or from where the search stopped
  const ahead = isFull ? shown.at(-1)!.place : end;
  const behind = from === null ? null : (shown[0]?.place ?? cursor!.slice(1));
  if (isBack) shown.reverse();
  const [next, previous] = isBack ? [behind, ahead] : [ahead, behind];
  return {
    shown,
    nextCursor: next === null ? null : `-${next}`,
    previousCursor: previous === null ? null : `+${previous}`,
    isComplete,
  };
}

function pageById(search: JobSearch, from: Place | null, most: number, columns: Sql): Sql {
  const isUp = from?.isBack ?? false;
  const found = findIds(search, from, { most, budget: BUDGET, isCounted: false });
  return sql`
    WITH found AS MATERIALIZED (${found}),
    -- where the first source stopped: beyond it others may have found runs between which some of its own are
    stopped AS MATERIALIZED (
      SELECT ${pick(isUp)}(coalesce(f.end_id, CASE WHEN cardinality(f.ids) = ${most}::integer THEN f.ids[${most}::integer] END)) AS id,
        ${pick(isUp)}(f.end_id) AS end_id
      FROM found AS f
    ),
    picked AS MATERIALIZED (
      SELECT DISTINCT u.id
      FROM found AS f CROSS JOIN LATERAL unnest(f.ids) AS u (id)
      WHERE true
        AND NOT EXISTS (SELECT FROM stopped AS s WHERE ${isUp ? sql`u.id > s.id` : sql`u.id < s.id`})
      ORDER BY u.id ${isUp ? sql`ASC` : sql`DESC`}
      LIMIT ${most}::integer
    ),
    shown AS MATERIALIZED (
      SELECT j.id, ${columns} AS job FROM duework.read_jobs(ARRAY(SELECT p.id FROM picked AS p)) AS j
    )
    SELECT a.job, a.place
    FROM (
      SELECT p.id, s.job, p.id::text AS place FROM picked AS p JOIN shown AS s ON s.id = p.id
      UNION ALL
      SELECT NULL, NULL, s.end_id::text FROM stopped AS s WHERE s.end_id IS NOT NULL AND s.end_id = s.id
    ) AS a
    ORDER BY a.id ${isUp ? sql`ASC` : sql`DESC`} NULLS LAST
  `;
}

/** Of several ends the first that a walk comes to. */
const pick = (isUp: boolean): Sql => (isUp ? sql`min` : sql`max`);

/** For each source the ids that fit, and where it stopped. */
export function findIds(
  search: JobSearch,
  from: Place | null,
  { most, budget, isCounted }: { most: number; budget: number; isCounted: boolean },
): Sql {
  const args: (string | null)[] = [];
  const condition = conditionText(search.condition, args);
  const sources = JSON.stringify(
    search.sources.map(({ name, candidates }) => ({
      name,
      candidates: candidates.map((query) => conditionText(query, args)),
    })),
  );
  const isUp = from?.isBack ?? false;
  const [low, high] = from === null ? [null, null] : isUp ? [from.id, null] : [null, from.id];
  return sql`
    SELECT f.ids, f.end_id
    FROM jsonb_to_recordset(${sources}::text::jsonb) AS s (name text, candidates text[])
    CROSS JOIN (SELECT ${toMoment(search.since)} AS since, ${toMoment(search.until)} AS until) AS m
    CROSS JOIN LATERAL duework.find_ids(
      s.name, s.candidates, ${condition}::text, ${toArray(args)}::text::text[],
      greatest(
        ${low}::text::bigint + 1, -9223372036854775807,
        -- what succeeded in time did so on the day of its id or on the next one
        CASE WHEN s.name = 'days' THEN duework.first_id_of((m.since AT TIME ZONE 'UTC')::date - 1) END
      ),
      least(${high}::text::bigint - 1, ${MAX_ID}::text::bigint, duework.first_id_of((m.until AT TIME ZONE 'UTC')::date + 1) - 1),
      ${isUp}::boolean, ${most}::integer, ${budget}::integer, ${isCounted}::boolean
    ) AS f
  `;
}

function toMoment(moment: SearchMoment | null): Sql {
  const at = moment !== null && 'at' in moment ? moment.at : null;
  const agoMs = moment !== null && 'agoMs' in moment ? String(moment.agoMs) : null;
  return sql`coalesce(${at}::text::timestamptz, now() - ${agoMs}::text::float8 * interval '1 millisecond')`;
}

function pageOfRunning(search: JobSearch, from: Place | null, most: number, columns: Sql): Sql {
  const place = sql`(extract(epoch FROM a.run_at) * 1000000)::bigint::text || '-' || a.id`;
  return sql`
    WITH found AS MATERIALIZED (${findRunning(search, from, most, BUDGET)}),
    shown AS MATERIALIZED (
      SELECT j.id, j.run_at, ${columns} AS job FROM found AS f CROSS JOIN LATERAL duework.read_jobs(f.ids) AS j
    )
    SELECT a.job, ${place} AS place
    FROM (
      SELECT u.position, s.job, s.run_at, u.id
      FROM found AS f CROSS JOIN LATERAL unnest(f.ids) WITH ORDINALITY AS u (id, position) JOIN shown AS s ON s.id = u.id
      UNION ALL
      SELECT NULL, NULL, f.end_run_at, f.end_id FROM found AS f WHERE f.end_id IS NOT NULL
    ) AS a
    ORDER BY a.position NULLS LAST
  `;
}

/** The ids of what runs, and where the search stopped. */
export function findRunning(search: JobSearch, from: Place | null, most: number, budget: number): Sql {
  const args: (string | null)[] = [];
  const condition = conditionText(search.condition, args);
  const queues = search.running?.queues ?? null;
  const isUp = from?.isBack ?? false;
  return sql`
    SELECT r.ids, r.end_run_at, r.end_id
    FROM duework.find_running(
      ${queues === null ? null : toArray(queues)}::text::text[], ${condition}::text, ${toArray(args)}::text::text[],
      coalesce('epoch'::timestamptz + ${from?.micros ?? null}::text::float8 * interval '1 microsecond', ${isUp ? 'infinity' : '-infinity'}::text::timestamptz),
      ${from?.id ?? '0'}::text::bigint, ${isUp}::boolean, ${most}::integer, ${budget}::integer
    ) AS r
  `;
}

const CURSOR = /^([-+])(\d{1,19})$/;
const RUNNING_CURSOR = /^([-+])(\d{1,18})-(\d{1,19})$/;

function readCursor(cursor: string, isRunning: boolean): Place {
  const pattern = isRunning ? RUNNING_CURSOR : CURSOR;
  const [, sign, first, second] = (typeof cursor === 'string' ? pattern.exec(cursor) : null) ?? [];
  const id = isRunning ? second : first;
  if (id === undefined || BigInt(id) >= BigInt(MAX_ID)) throw new DueworkError('invalid_cursor', { cursor });
  return { isBack: sign === '+', micros: isRunning ? first! : null, id };
}
