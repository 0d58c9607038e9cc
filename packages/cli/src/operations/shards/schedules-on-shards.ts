import { nameId } from '@duework/shards';
import { by, least, sums } from '@duework/shards/merges';
import type { DueTime } from '@duework/schedules';
import type { OfShard } from '../of-shard.js';
import type { Operations } from '../operations.js';
import type { AllShards } from './all-shards.js';

type Named = Pick<
  Operations,
  | 'pause'
  | 'resume'
  | 'findSchedules'
  | 'getSchedule'
  | 'findDueTimes'
  | 'previewSchedule'
  | 'triggerSchedule'
  | 'deleteSchedule'
>;

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
      const each = resumed.flatMap(({ meanwhile }) => meanwhile ?? []);
      const skips = each.flatMap((one) => one.skips).sort((one, other) => other.getTime() - one.getTime());
      const { skipCount, fireCount } = sums(each, 'skipCount', 'fireCount');
      return { wasPaused, meanwhile: { skipCount, skips, fireCount, nextDueAt: least(each, 'nextDueAt') ?? null } };
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
    getSchedule: async (key) => (await shards.lookWhereKnown((queue) => queue.getSchedule(key)))[0]!.answer,
    async findDueTimes(filter) {
      const pages = await shards.look((queue) => queue.findDueTimes(filter));
      const all = pages
        .flatMap(({ shard, answer }) => answer.dueTimes.map((dueTime) => nameDueTime(dueTime, shard)))
        .sort((one, other) => other.dueAt.getTime() - one.dueAt.getTime());
      const dueTimes = all.slice(0, filter.limit);
      const hasMore = all.length > dueTimes.length || pages.some(({ answer }) => answer.nextCursor !== null);
      return { dueTimes, nextCursor: hasMore ? '' : null };
    },
    previewSchedule: async (key, count) =>
      (await shards.lookWhereKnown((queue) => queue.previewSchedule(key, count)))[0]!.answer,
    async triggerSchedule(key, options) {
      const begun = await shards.change((queue) => queue.triggerSchedule(key, options));
      const ids = begun.flatMap(({ shard, answer }) => answer.ids.map((id) => nameId(shard, id)));
      return { ids, deduplicated: begun.every(({ answer }) => answer.deduplicated) };
    },
    async deleteSchedule(key, reason) {
      await shards.change((queue) => queue.deleteSchedule(key, reason));
    },
  };
}

const nameDueTime = (dueTime: DueTime, shard: string): OfShard<DueTime> => ({
  ...dueTime,
  shard,
  runId: dueTime.runId === null ? null : nameId(shard, dueTime.runId),
});
