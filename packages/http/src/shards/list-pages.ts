import { mergeRows, type ShardRows } from '@duework/queue-core/internals';
import type { ApiContext } from '../api.js';
import { answerAsShard, answerMerged, findRefusal } from './answer-shards.js';
import { askShard, type Body, isLeftOut, PART_MS, type ShardAnswer } from './ask-shard.js';
import { askShards, queryWith, shardsFor, withoutUnknown } from './ask-shards.js';
import { decodePlaces, encodePlaces, invalidCursor, type PagePlace, type Places } from './pages-cursor.js';
import type { Shards } from './shards.js';

/** A list that comes in pages, and how those of several shards are one. */
export interface PagedList {
  readonly operationId: string;
  /** The field of its rows. */
  readonly rows: string;
  readonly usualLimit: number;
  /** Which of two rows comes first. */
  readonly isBefore: (one: Body, other: Body) => boolean;
  /** The cursor of a shard behind one of its rows. Absent: the shard is asked for it. */
  readonly cursorBehind?: (row: Body) => string;
  /** The cursor of a shard right before one of its rows: what comes meanwhile is before it. */
  readonly cursorBefore?: (row: Body) => string;
  /** Rows say their shard, because no id of them does. */
  readonly isTagged?: boolean;
  /** A shard may not know what is listed, and has no rows of it then. */
  readonly mayBeUnknown?: boolean;
}

/** What each of some shards is asked for. */
export type Questions = ReadonlyMap<string, Readonly<Record<string, string | undefined>>>;

/** The same question for each shard that a request is for. */
export const ofAll = (names: readonly string[]): Questions => new Map(names.map((name) => [name, {}]));

/** Answers with one page of a list, on from its cursor. */
export async function answerPage(shards: Shards, c: ApiContext, list: PagedList): Promise<Response> {
  const { body, problems, refusal } = await readPage(shards, c, list, ofAll(shardsFor(shards, c)));
  return refusal === undefined ? answerMerged(c, body, problems) : answerAsShard(c, refusal);
}

interface Page {
  readonly body: Body;
  readonly problems: Awaited<ReturnType<typeof askShards>>['problems'];
  /** The page of each shard that answered. */
  readonly answers: readonly ShardAnswer[];
  readonly refusal?: ShardAnswer | undefined;
}

/**
 * One page of all shards. A shard that does not answer keeps its place: its rows come as soon as it does. The listing ends
 * where all others are at their end.
 */
export async function readPage(
  shards: Shards,
  c: ApiContext,
  list: PagedList,
  questions: Questions,
  place: PagePlace = placeOf(c, list, questions),
): Promise<Page> {
  const { operationId } = list;
  const names = [...questions.keys()].filter((name) => place.places.get(name) !== null);
  // no page has such a cursor
  if (names.length === 0) throw invalidCursor();
  const limit = Number(c.req.query('limit') ?? list.usualLimit);
  const ask = (name: string, limitOf?: number) => ({
    operationId,
    query: queryWith(c, {
      ...questions.get(name),
      cursor: place.places.get(name) || undefined,
      ...(limitOf === undefined ? {} : { limit: String(limitOf) }),
    }),
    limitMs: PART_MS,
  });
  const all = await askShards(shards, names, c, (name) => ask(name));
  const told = list.mayBeUnknown === true ? withoutUnknown(all) : all;
  const refusal = findRefusal(told);
  if (refusal !== undefined) return { body: {}, ...told, refusal };
  const pages = told.answers.map(({ shard, body }) => ({
    shard,
    rows: body[list.rows] as Body[],
    hasMore: body['nextCursor'] !== null,
    next: body['nextCursor'] as string | null,
  }));
  if (list.isTagged === true) for (const { shard, rows } of pages) for (const row of rows) row['shard'] = shard;
  const from = new Map(place.places);
  for (const { shard } of all.answers) if (!told.answers.some((one) => one.shard === shard)) from.set(shard, null);
  const { rows, places } = await takePage(list, pages, limit, from, behind);
  const away = new Set(told.problems.map(({ shard }) => shard));
  const isOver = [...places].every(([shard, at]) => at === null || away.has(shard));
  const nextCursor = isOver ? null : encodePlaces(operationId, { isBack: false, places });
  return { body: { [list.rows]: rows, nextCursor }, ...told };

  async function behind(shard: string, _row: Body, count: number): Promise<string | null> {
    const again = await askShard(shards, shard, c, ask(shard, count));
    // its rows come again, rather than not at all
    if (isLeftOut(again) || again.status >= 400) return place.places.get(shard)!;
    return again.body['nextCursor'] as string | null;
  }
}

/** A page of one shard; `next`: its cursor behind all of it. */
export interface PageOfShard extends ShardRows<Body> {
  readonly next: string | null;
}

/**
 * The first rows of the pages of all shards, and where the list goes on in each, from the places at which they begin. `behind`
 * finds the cursor behind some rows of a page where the list cannot say it.
 */
export async function takePage(
  list: PagedList,
  pages: readonly PageOfShard[],
  limit: number,
  from: Places,
  behind: (shard: string, row: Body, count: number) => Promise<string | null>,
): Promise<{ readonly rows: readonly Body[]; readonly places: Places }> {
  const { rows, taken } = mergeRows(pages, limit, list.isBefore);
  const places = new Map(from);
  for (const { shard, rows: own, next } of pages) {
    const count = taken.get(shard)!;
    if (count === own.length) places.set(shard, next);
    else if (count > 0)
      places.set(shard, list.cursorBehind?.(own[count - 1]!) ?? (await behind(shard, own[count - 1]!, count)));
    else if (list.cursorBefore !== undefined) places.set(shard, list.cursorBefore(own[0]!));
  }
  return { rows, places };
}

function placeOf(c: ApiContext, { operationId }: PagedList, questions: Questions): PagePlace {
  const cursor = c.req.query('cursor');
  const names = [...questions.keys()];
  if (cursor === undefined) return { isBack: false, places: startOf(names) };
  const place = decodePlaces(operationId, names, cursor);
  // only the list of jobs leads back
  if (place.isBack) throw invalidCursor();
  return place;
}

export const startOf = (names: readonly string[]): Places => new Map(names.map((name) => [name, '']));
