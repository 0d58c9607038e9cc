import type { ApiContext } from '../../api.js';
import { answerAsShard } from '../answer-shards.js';
import { askShard, isLeftOut, PART_MS, queryOf, type ShardAnswer, shardAway } from '../ask-shard.js';
import { askedShard, askShards } from '../ask-shards.js';
import { shardNotGiven } from '../shard-ids.js';
import type { Shards } from '../shards.js';
import type { Plan } from './plan.js';

const SAYS = 'The shard of the schedule is found by its key; `?shard=` says it where several have the key.';

/** A route about one schedule, which lives in one shard. */
export const bySchedule: Plan = {
  takesShard: true,
  tagged: '',
  says: SAYS,
  async handle(shards, c, operationId) {
    const found = askedShard(shards, c) ?? (await find(shards, c));
    if (typeof found === 'string') return ask(shards, found, c, operationId);
    return answerAsShard(c, found);
  },
};

/** Where it is already, else the first shard. */
export const saveInShard: Plan = {
  takesShard: true,
  tagged: '',
  says: 'It is saved in the shard that `?shard=` names, else where it is already, else in the first one.',
  async handle(shards, c, operationId) {
    const found = askedShard(shards, c) ?? (await find(shards, c));
    return ask(shards, typeof found === 'string' ? found : shards.names[0]!, c, operationId);
  },
};

async function ask(shards: Shards, name: string, c: ApiContext, operationId: string): Promise<Response> {
  const told = await askShard(shards, name, c, { operationId, query: queryOf(c), limitMs: null });
  if (isLeftOut(told)) throw shardAway(shards, told, c.req.method);
  if (told.status < 300) told.body['shard'] = name;
  return answerAsShard(c, told);
}

/**
 * The shard that has the schedule, or the answer of one that has not where none has. Throws `shard_not_given` where several
 * have it, and `database_away` where it may be in one that does not answer.
 */
async function find(shards: Shards, c: ApiContext): Promise<string | ShardAnswer> {
  const path = `/v1/schedules/${encodeURIComponent(c.req.param('key') ?? '')}`;
  const asked = {
    operationId: 'getSchedule',
    method: 'GET',
    path,
    query: new URLSearchParams(),
    limitMs: PART_MS,
  };
  const { answers, problems } = await askShards(shards, shards.names, c, () => asked);
  const having = answers.filter(({ status }) => status === 200);
  if (having.length > 1)
    throw shardNotGiven(
      having.map(({ shard }) => shard),
      'Several shards have a schedule with this key: say which with ?shard=.',
    );
  if (having.length === 1) return having[0]!.shard;
  if (problems.length > 0) throw shardAway(shards, problems[0]!, 'GET');
  return answers[0]!;
}
