import { isByDueTime, readFilter } from '@duework/operate';
import { mergeRows } from '@duework/queue-core/internals';
import type { ApiContext } from '../api.js';
import { decodeCursor, encodeCursor } from '../jobs/cursor.js';
import { answerAsShard, answerMerged, findRefusal } from './answer-shards.js';
import { type Body, PART_MS } from './ask-shard.js';
import { askShards, queryWith, shardsFor } from './ask-shards.js';
import { type PagedList, type Questions, readPage, startOf } from './list-pages.js';
import { decodePlaces, encodePlaces, invalidCursor, type PagePlace, type Places } from './pages-cursor.js';
import type { Shards } from './shards.js';
import { splitFilter } from './split-filter.js';

const LIST = 'listJobs';
const USUAL_LIMIT = 50;
/** Finds no job: what is asked of one shard where no shard can have what fits. */
const NOTHING = 'id:0';

/** The filter that each shard is asked for; those that cannot have what fits are not asked. */
export function filtersOf(shards: Shards, c: ApiContext, filter: string): ReadonlyMap<string, string> {
  const among = shardsFor(shards, c);
  const split = splitFilter(shards, filter);
  const asked = among.filter((name) => split.has(name));
  if (asked.length === 0) return new Map([[among[0]!, NOTHING]]);
  return new Map(asked.map((name) => [name, split.get(name)!]));
}

/** The same as questions, by the filter of a query. */
export function askByFilter(shards: Shards, c: ApiContext): Questions {
  const filters = filtersOf(shards, c, c.req.query('filter') ?? '');
  return new Map([...filters].map(([name, filter]) => [name, { filter: filter === '' ? undefined : filter }]));
}

/** Newest first; what runs, the longest due first. */
export function jobsAsList(questions: Questions): PagedList {
  const whole = { operationId: LIST, rows: 'jobs', usualLimit: USUAL_LIMIT };
  if (asksForRunning(questions))
    return { ...whole, isBefore: (one, other) => (one['runAt'] as string) < (other['runAt'] as string) };
  return {
    ...whole,
    isBefore: isNewer,
    cursorBehind: (row) => cursorAt('-', idOf(row)),
    cursorBefore: (row) => cursorAt('-', idOf(row) + 1n),
  };
}

/** Of one moment the shard that is first by its name is, on the way back, too. */
function isNewer(one: Body, other: Body): boolean {
  const [at, otherAt] = [one['createdAt'] as string, other['createdAt'] as string];
  return at > otherAt || (at === otherAt && (one['id'] as string) < (other['id'] as string));
}

function asksForRunning(questions: Questions): boolean {
  const [first] = questions.values();
  try {
    return isByDueTime(readFilter(first?.['filter'] ?? ''));
  } catch {
    // the shards say what is wrong with it
    return false;
  }
}

/**
 * `GET /v1/jobs` of all shards. Of a list by ids every place is an id: what is behind it is older, and it and what is before
 * it newer. So a place leads back, too.
 */
export async function answerJobs(shards: Shards, c: ApiContext): Promise<Response> {
  const questions = askByFilter(shards, c);
  const names = [...questions.keys()];
  const list = jobsAsList(questions);
  const cursor = c.req.query('cursor');
  const place = cursor === undefined ? { isBack: false, places: startOf(names) } : decodePlaces(LIST, names, cursor);
  if (place.isBack) return answerBack(shards, c, questions, place);
  const { body, problems, answers, refusal } = await readPage(shards, c, list, questions, place);
  if (refusal !== undefined) return answerAsShard(c, refusal);
  const hasBefore = list.cursorBehind !== undefined && [...place.places.values()].some((at) => at !== '');
  return answerMerged(
    c,
    {
      ...body,
      previousCursor: hasBefore ? encodePlaces(LIST, { isBack: true, places: place.places }) : null,
      ...completeness(answers),
    },
    problems,
  );
}

/** The page before a place: of each shard what is nearest to it, from the end on. */
async function answerBack(
  shards: Shards,
  c: ApiContext,
  questions: Questions,
  { places }: PagePlace,
): Promise<Response> {
  const names = [...questions.keys()].filter((name) => places.get(name) !== '');
  const told = await askShards(shards, names, c, (name) => ({
    operationId: LIST,
    query: queryWith(c, { ...questions.get(name), cursor: cursorAt('+', idAt(places.get(name)!) - 1n) }),
    limitMs: PART_MS,
  }));
  const refusal = findRefusal(told);
  if (refusal !== undefined) return answerAsShard(c, refusal);
  const pages = told.answers.map(({ shard, body }) => ({
    shard,
    rows: [...(body['jobs'] as Body[])].reverse(),
    hasMore: body['previousCursor'] !== null,
    previous: body['previousCursor'] as string | null,
  }));
  const limit = Number(c.req.query('limit') ?? USUAL_LIMIT);
  const { rows, taken } = mergeRows(pages, limit, (one, other) => isNewer(other, one));
  const tops = new Map(places);
  for (const { shard, rows: own, previous } of pages) {
    const count = taken.get(shard)!;
    if (count === own.length) tops.set(shard, previous === null ? '' : cursorAt('-', idAt(previous) + 1n));
    else if (count > 0) tops.set(shard, cursorAt('-', idOf(own[count - 1]!) + 1n));
  }
  return answerMerged(
    c,
    {
      jobs: [...rows].reverse(),
      nextCursor: encodePlaces(LIST, { isBack: false, places }),
      previousCursor: isAtStart(tops) ? null : encodePlaces(LIST, { isBack: true, places: tops }),
      ...completeness(told.answers),
    },
    told.problems,
  );
}

const isAtStart = (places: Places): boolean => [...places.values()].every((at) => at === '');

/** The id of a place; where nothing follows it is behind every id. */
function idAt(place: string | null): bigint {
  if (place === null) return 0n;
  const [, id] = /^[-+](\d{1,19})$/.exec(decodeCursor(place)) ?? [];
  if (id === undefined) throw invalidCursor();
  return BigInt(id);
}

const idOf = (row: Body): bigint => BigInt((row['id'] as string).replace(/^.*\./, ''));
const cursorAt = (sign: '+' | '-', id: bigint): string => encodeCursor(`${sign}${id < 0n ? 0n : id}`);

function completeness(answers: readonly { readonly body: Body }[]): Body {
  const cut = answers.find(({ body }) => body['complete'] === false);
  return { complete: cut === undefined, hint: (cut?.body['hint'] as string | undefined) ?? null };
}
