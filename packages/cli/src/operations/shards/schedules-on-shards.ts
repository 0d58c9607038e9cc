import { nameId } from '@duework/shards';
import { by, least } from '@duework/shards/merges';
import type { Operations } from '../operations.js';
import type { AllShards } from './all-shards.js';

type Named = Pick<Operations, 'pause' | 'resume' | 'findSchedules' | 'triggerSchedule' | 'deleteSchedule'>;

/** What is known by a name: schedules, and the pauses of them, of queues and of types, in each shard that has it. */
export function schedulesOnShards(shards: AllShards): Named {
  return {
    async pause(target, options) {
      await shards.change((queue) => queue.pause(target, options));
    },
    async resume(target, reason) {
      const resumed = (await shards.change((queue) => queue.resume(target, reason))).map(({ answer }) => answer);
      const wasPaused = resumed.some((one) => one.wasPaused);
      if (target.kind !== 'schedule') return { wasPaused };
      return { wasPaused, nextSlotAt: least(resumed, 'nextSlotAt') ?? null };
    },
    async findSchedules(filter) {
      const pages = await shards.look((queue) => queue.findSchedules(filter));
      const all = pages
        .flatMap(({ shard, answer }) => answer.schedules.map((schedule) => ({ ...schedule, shard })))
        .sort(by('key', 'shard'));
      const schedules = all.slice(0, filter.limit);
      const hasMore = all.length > schedules.length || pages.some(({ answer }) => answer.nextCursor !== null);
      return { schedules, nextCursor: hasMore ? (schedules.at(-1)?.key ?? null) : null };
    },
    async triggerSchedule(key, reason) {
      const begun = await shards.change((queue) => queue.triggerSchedule(key, reason));
      const ids = begun.flatMap(({ shard, answer }) => answer.ids.map((id) => nameId(shard, id)));
      return { ids };
    },
    async deleteSchedule(key, reason) {
      await shards.change((queue) => queue.deleteSchedule(key, reason));
    },
  };
}
