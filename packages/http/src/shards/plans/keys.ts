import { answerAsShard, answerMerged, findRefusal } from '../answer-shards.js';
import { askShard, isLeftOut, queryOf, shardAway } from '../ask-shard.js';
import { askedShard, askShards, refusedAsProblems, shardsFor, withoutUnknown } from '../ask-shards.js';
import type { Plan } from './plan.js';

/** A key is kept in one shard, and holds over all. */
export const createInShard: Plan = {
  takesShard: true,
  says: 'It is kept in the first shard unless `?shard=` names another, and holds over all of them.',
  async handle(shards, c, operationId) {
    const name = askedShard(shards, c) ?? shards.names[0]!;
    const told = await askShard(shards, name, c, { operationId, query: queryOf(c), limitMs: null });
    if (isLeftOut(told)) throw shardAway(shards, told, c.req.method);
    if (told.status < 300) told.body['key'] = { ...(told.body['key'] as object), shard: name };
    return answerAsShard(c, told);
  },
};

/** Revokes a key wherever it is. Throws `database_away` where it may be in a shard that does not answer, and is in no other. */
export const revokeEverywhere: Plan = {
  takesShard: true,
  isMerged: true,
  tagged: '',
  says: 'It is looked for in every shard; `problems` says which could not be asked.',
  async handle(shards, c, operationId) {
    const told = withoutUnknown(
      await askShards(shards, shardsFor(shards, c), c, () => ({ operationId, query: queryOf(c), limitMs: null })),
    );
    const known = refusedAsProblems(told);
    const refusal = findRefusal(known);
    if (refusal?.status === 404 && told.problems.length > 0) throw shardAway(shards, told.problems[0]!, 'GET');
    if (refusal !== undefined) return answerAsShard(c, refusal);
    const [{ shard, body }] = known.answers as [(typeof known.answers)[number]];
    return answerMerged(c, { ...body, shard }, known.problems);
  },
};
