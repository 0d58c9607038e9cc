import type { EventOperations } from '../event-operations.js';
import type { AllShards } from './all-shards.js';

/** Events on several shards: each has its own subscribers, who are the same where a deploy is over, and its own kept events. */
export function eventsOnShards(shards: AllShards): EventOperations {
  return {
    async list() {
      const found = (await shards.look((queue) => queue.events.list())).flatMap(({ answer }) => answer);
      return found.filter(({ event }, at) => found.findIndex((one) => one.event === event) === at);
    },
    async preview(request) {
      const parts = (await shards.look((queue) => queue.events.preview(request))).map(({ answer }) => answer);
      return {
        events: parts.reduce((sum, { events }) => sum + events, 0),
        isAtLeast: parts.some(({ isAtLeast }) => isAtLeast),
      };
    },
    async replay(request, reason) {
      const parts = (await shards.change((queue) => queue.events.replay(request, reason))).map(({ answer }) => answer);
      const moments = parts.flatMap(({ nextFrom }) => nextFrom?.getTime() ?? []);
      return {
        replayed: parts.reduce((sum, { replayed }) => sum + replayed, 0),
        nextFrom: moments.length === 0 ? null : new Date(Math.min(...moments)),
      };
    },
    async unsubscribe(event, type, reason) {
      await shards.change((queue) => queue.events.unsubscribe(event, type, reason));
    },
  };
}
