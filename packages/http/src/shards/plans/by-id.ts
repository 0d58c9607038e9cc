import type { ApiContext } from '../../api.js';
import { answerAsShard } from '../answer-shards.js';
import { askShard, type Asked, isLeftOut, shardAway, toRequest } from '../ask-shard.js';
import { nameEvents } from '../streams/name-events.js';
import { placeId } from '../shard-ids.js';
import type { Shards } from '../shards.js';
import type { Plan } from './plan.js';

/** The path of a request with the last parameter but its ending replaced: `/v1/jobs/b.7/steps`. */
export const pathWithId = (c: ApiContext, id: string): string => {
  const parts = c.req.path.split('/');
  parts[3] = encodeURIComponent(id);
  return parts.join('/');
};

/** The id names the shard: a parameter that does is refused as any that there is not. */
const wholeQuery = (c: ApiContext): URLSearchParams => new URL(c.req.url).searchParams;

/** Asks one shard alone, and answers as it does. Throws `database_away`. */
export async function askOne(
  shards: Shards,
  name: string,
  c: ApiContext,
  asked: Omit<Asked, 'limitMs'>,
  placed?: { readonly given: string; readonly id: string },
): Promise<Response> {
  const told = await askShard(shards, name, c, { ...asked, limitMs: null });
  if (isLeftOut(told)) throw shardAway(shards, told, c.req.method);
  return answerAsShard(c, told, placed);
}

/** A route whose path has an id: its shard alone is asked. */
export const byId: Plan = {
  async handle(shards, c, operationId) {
    const given = c.req.param('id') ?? '';
    const { shard, id } = placeId(shards, given);
    return askOne(shards, shard, c, { operationId, path: pathWithId(c, id), query: wholeQuery(c) }, { given, id });
  },
};

/** The stream of one job. */
export const followById: Plan = {
  handle(shards, c, operationId) {
    const placed = placeId(shards, c.req.param('id') ?? '');
    return follow(shards, c, operationId, placed.shard, { path: pathWithId(c, placed.id), query: wholeQuery(c) });
  },
};

/** Answers with the stream of one shard, or as that refuses it. */
export async function follow(
  shards: Shards,
  c: ApiContext,
  operationId: string,
  name: string,
  asked: Partial<Asked>,
): Promise<Response> {
  const shard = shards.all.get(name)!;
  // a stream answers HEAD by itself
  const request = await toRequest(c, { operationId, limitMs: null, method: c.req.method, ...asked });
  const told = await shard.gate.ask(() => shard.fetch(c, request, { operationId, ...asked }), null);
  if (typeof told === 'string') throw shardAway(shards, { shard: name, problem: told }, 'GET');
  return nameEvents(c, told.answer, name, shards.nameIds(operationId, 200));
}
