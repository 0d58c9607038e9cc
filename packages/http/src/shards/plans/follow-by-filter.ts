import { AccessWatch } from '../../access/access-watch.js';
import { Share } from '../../access/share.js';
import type { ApiParts } from '../../api.js';
import { createStreams, type StreamEvents } from '../../live/create-streams.js';
import { queryWith } from '../ask-shards.js';
import { askByFilter } from '../list-jobs.js';
import { followShards } from '../streams/follow-shards.js';
import { follow } from './by-id.js';
import type { Plan } from './plan.js';

/**
 * The stream of a filter: those of all shards as one. `Last-Event-ID` names where each shard was, and a client that comes
 * again is told the page as it is now, unless no shard has moved.
 */
export function followByFilter(parts: ApiParts): Plan {
  let streams: StreamEvents | undefined;
  // each stream of a shard is counted as one
  const streamEvents: StreamEvents = (...asked) =>
    (streams ??= createStreams(parts, new AccessWatch(parts), new Share(Infinity, 'streams')))(...asked);
  return {
    takesShard: true,
    isMerged: true,
    says:
      'It is the first page of all shards. `problems` of an event names those that do not answer: their jobs are left ' +
      'out, and come as soon as they do.',
    async handle(shards, c, operationId) {
      const questions = askByFilter(shards, c);
      const [[first, { filter }] = ['', {}]] = [...questions];
      if (c.req.method === 'HEAD') return follow(shards, c, operationId, first, { query: queryWith(c, { filter }) });
      const followed = await followShards(shards, c, operationId, questions);
      if (followed instanceof Response) return followed;
      return streamEvents(c, (sink) => followed.tell(sink, c.req.header('last-event-id') ?? null));
    },
  };
}
