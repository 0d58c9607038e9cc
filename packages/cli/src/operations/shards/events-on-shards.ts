import { mergeEvents, mergeReplayPreviews, mergeReplays } from '@duework/shards/merges';
import type { EventOperations } from '../event-operations.js';
import type { AllShards } from './all-shards.js';

/** Events on several shards: each has its own subscribers, who are the same where a deploy is over, and its own kept events. */
export function eventsOnShards(shards: AllShards): EventOperations {
  return {
    list: async () => mergeEvents(await shards.look((queue) => queue.events.list())),
    preview: async (request) => mergeReplayPreviews(await shards.look((queue) => queue.events.preview(request))),
    replay: async (request, reason) =>
      mergeReplays(await shards.change((queue) => queue.events.replay(request, reason))),
    async unsubscribe(event, type, reason) {
      await shards.change((queue) => queue.events.unsubscribe(event, type, reason));
    },
  };
}
