import { readLink } from '../../approvals/linked-approval.js';
import { shardAway, toRequest } from '../ask-shard.js';
import { placeId } from '../shard-ids.js';
import type { Plan } from './plan.js';

/** A page behind a link: the job in it names the shard, whose page it is as it is. */
export const byLink: Plan = {
  async handle(shards, c, operationId) {
    const name = placeId(shards, readLink(c).job).shard;
    const shard = shards.all.get(name)!;
    const asked = { operationId, path: c.req.path };
    const request = await toRequest(c, { ...asked, limitMs: null });
    const told = await shard.gate.ask(() => shard.fetch(c, request, asked), null);
    if (typeof told === 'string') throw shardAway(shards, { shard: name, problem: told }, c.req.method);
    return told.answer;
  },
};
