import { answerAsShard, answerMerged, findRefusal } from '../answer-shards.js';
import { type Body, PART_MS, shardAway } from '../ask-shard.js';
import { askShards, queryWith, shardsFor } from '../ask-shards.js';
import { encodePlaces, type Places, readPlaces } from '../pages-cursor.js';
import type { Plan } from './plan.js';

/**
 * What has ended in all shards: of each a part of the page. A shard that does not answer keeps its place, and one that the
 * cursor does not know, because it is new, begins with its oldest: nothing is missed.
 */
export const endedJobs = (usualLimit: number): Plan => ({
  takesShard: true,
  isMerged: true,
  says: 'Each shard tells its part of a page, in its order. One that does not answer keeps its place in the cursor.',
  async handle(shards, c, operationId) {
    const names = shardsFor(shards, c);
    const after = c.req.query('after');
    const isOpaque = after !== undefined && after !== 'now';
    const from: Places = isOpaque ? readPlaces(operationId, after).places : new Map();
    const limit = Math.ceil(Number(c.req.query('limit') ?? usualLimit) / names.length);
    const told = await askShards(shards, names, c, (name) => ({
      operationId,
      query: queryWith(c, {
        after: isOpaque ? from.get(name) || undefined : after,
        // what is wrong with it the shards say
        ...(Number.isInteger(limit) && limit > 0 ? { limit: String(limit) } : {}),
      }),
      limitMs: PART_MS,
    }));
    const refusal = findRefusal(told);
    if (refusal !== undefined) return answerAsShard(c, refusal);
    // now is a moment in each of them
    if (after === 'now' && told.problems.length > 0) throw shardAway(shards, told.problems[0]!, 'GET');
    const places = new Map([...names.map((name) => [name, from.get(name) ?? ''] as const), ...from]);
    for (const { shard, body } of told.answers) places.set(shard, body['cursor'] as string);
    return answerMerged(
      c,
      {
        jobs: told.answers.flatMap(({ body }) => body['jobs'] as Body[]),
        cursor: encodePlaces(operationId, { isBack: false, places }),
        caughtUp: told.answers.every(({ body }) => body['caughtUp'] === true),
      },
      told.problems,
    );
  },
});
