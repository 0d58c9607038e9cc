import { by } from '@duework/shards/merges';
import type { ApiContext } from '../../api.js';
import { answerAsShard, answerMerged, findRefusal, partsOf } from '../answer-shards.js';
import { type Body, PART_MS, queryOf, shardAway } from '../ask-shard.js';
import { askShards, queryWith, refusedAsProblems, shardsFor, withoutUnknown } from '../ask-shards.js';
import { answerPage, type PagedList, type Questions, readPage } from '../list-pages.js';
import { answerJobs, askByFilter } from '../list-jobs.js';
import { type Merge, mergeCounts } from '../merges.js';
import { placeId } from '../shard-ids.js';
import type { Shards } from '../shards.js';
import type { Plan } from './plan.js';

/** A look at all shards, whose answers are as `T`, the schema of the route, says. `limitMs`: null for what may take its time. */
export const merged = <T>(
  merge: Merge<T>,
  { tagged, limitMs = PART_MS, says }: { tagged?: string; limitMs?: number | null; says?: string } = {},
): Plan => ({
  takesShard: true,
  isMerged: true,
  ...(tagged === undefined ? {} : { tagged }),
  ...(says === undefined ? {} : { says }),
  async handle(shards, c, operationId) {
    const told = withoutUnknown(
      await askShards(shards, shardsFor(shards, c), c, () => ({ operationId, query: queryOf(c), limitMs })),
    );
    const refusal = findRefusal(told);
    return refusal === undefined ? answerMerged(c, merge(partsOf<T>(told)), told.problems) : answerAsShard(c, refusal);
  },
});

/**
 * A look at all shards that says nothing where one of them does not answer: what it would say of the others is no
 * proof.
 */
export const mergedOfAll = <T>(merge: Merge<T>): Plan => ({
  takesShard: true,
  isMerged: true,
  says: 'It is refused while a shard does not answer.',
  async handle(shards, c, operationId) {
    const told = await askShards(shards, shardsFor(shards, c), c, () => ({
      operationId,
      query: queryOf(c),
      limitMs: null,
    }));
    const refusal = findRefusal(told);
    if (refusal !== undefined) return answerAsShard(c, refusal);
    if (told.problems.length > 0) throw shardAway(shards, told.problems[0]!, 'GET');
    return answerMerged(c, merge(partsOf<T>(told)), []);
  },
});

/** A change in all shards. What one of them refuses, or does not answer, is told; the others have done it. */
export const everywhere = <T>(merge: Merge<T>): Plan => ({
  takesShard: true,
  isMerged: true,
  says: 'It is done in every shard; `problems` says in which it is not, and `shards` in which it is.',
  async handle(shards, c, operationId) {
    const told = refusedAsProblems(
      withoutUnknown(
        await askShards(shards, shardsFor(shards, c), c, () => ({
          operationId,
          query: queryOf(c),
          limitMs: null,
        })),
      ),
    );
    const refusal = findRefusal(told);
    return refusal === undefined ? answerMerged(c, merge(partsOf<T>(told)), told.problems) : answerAsShard(c, refusal);
  },
});

export const countByFilter: Plan = {
  takesShard: true,
  isMerged: true,
  async handle(shards, c, operationId) {
    const questions = askByFilter(shards, c);
    const told = await askShards(shards, [...questions.keys()], c, (name) => ({
      operationId,
      query: queryWith(c, questions.get(name)!),
      limitMs: PART_MS,
    }));
    const refusal = findRefusal(told);
    return refusal === undefined
      ? answerMerged(c, mergeCounts(partsOf(told)), told.problems)
      : answerAsShard(c, refusal);
  },
};

type List = Omit<PagedList, 'operationId'>;

export const isLater = (field: string) => (one: Body, other: Body) => (one[field] as string) > (other[field] as string);
export const isFirst = (field: string) => (one: Body, other: Body) => by(field)(one, other) < 0;

const LISTING =
  'A shard that does not answer keeps its place: its rows come once it does. The listing ends where all that answer are at their end.';

export const listedJobs: Plan = { takesShard: true, isMerged: true, says: LISTING, handle: answerJobs };

/** A list that comes in pages. */
export const listed = (list: List): Plan => ({
  takesShard: true,
  isMerged: true,
  says: LISTING,
  ...(list.isTagged === true ? { tagged: list.rows } : {}),
  handle: (shards, c, operationId) => answerPage(shards, c, { ...list, operationId }),
});

/** The same, where a parameter of the query may be an id: then its shard alone is asked. */
export const listedAbout = (list: List, idsOf: (c: ApiContext) => readonly string[]): Plan => ({
  ...listed(list),
  async handle(shards, c, operationId) {
    const questions = askAbout(shards, c, idsOf(c));
    if (questions === null) return answerPage(shards, c, { ...list, operationId });
    const { body, problems, refusal } = await readPage(shards, c, { ...list, operationId }, questions);
    return refusal === undefined ? answerMerged(c, body, problems) : answerAsShard(c, refusal);
  },
});

function askAbout(shards: Shards, c: ApiContext, names: readonly string[]): Questions | null {
  const given = names.filter((name) => c.req.query(name) !== undefined);
  if (given.length === 0) return null;
  const ids = given.map((name) => [name, placeId(shards, c.req.query(name)!)] as const);
  const [[, { shard }]] = ids as [(typeof ids)[number]];
  return new Map([[shard, Object.fromEntries(ids.map(([name, { id }]) => [name, id]))]]);
}
