import type { FlowKey } from '@duework/operate';
import { nameId } from '@duework/shards';
import { by, mergeFlowPreview, mergeKey, mergeRule, ORDERS } from '@duework/shards/merges';
import type { FlowOperations } from '../flow-operations.js';
import type { AllShards, ShardAnswer } from './all-shards.js';

/** Flow control on several shards: each has rules and keys of its own, which are changed wherever they are. */
export function flowOnShards(shards: AllShards): FlowOperations {
  return {
    async list() {
      const rules = await shards.rows((queue) => queue.flow.list());
      return rules.sort(ORDERS.rules);
    },
    async keys(rule, page) {
      const pages = await shards.lookWhereKnown((queue) => queue.flow.keys(rule, page));
      const all = pages
        .flatMap(({ shard, answer }) => answer.keys.map((key) => ({ ...nameHolders(shard, key), shard })))
        .sort(by('key', 'shard'));
      const last = all[page.limit - 1]?.key;
      // a key of two shards stays on one page, because the next begins behind its name
      const keys = last === undefined ? all : all.filter(({ key }) => key <= last);
      const hasMore = keys.length < all.length || pages.some(({ answer }) => answer.nextCursor !== null);
      return { keys, nextCursor: hasMore ? keys.at(-1)!.key : null };
    },
    preview: async (rule, change) =>
      mergeFlowPreview(await shards.lookWhereKnown((queue) => queue.flow.preview(rule, change))),
    change: async (rule, change, reason) =>
      mergeRule(await shards.change((queue) => queue.flow.change(rule, change, reason))),
    close: async (key, duration, reason) =>
      mergeKeys(await shards.change((queue) => queue.flow.close(key, duration, reason))),
    open: async (key, reason) => mergeKeys(await shards.change((queue) => queue.flow.open(key, reason))),
  };
}

const nameHolders = (shard: string, key: FlowKey): FlowKey => ({
  ...key,
  holders: key.holders.map((holder) => ({ ...holder, id: nameId(shard, holder.id) })),
});

const mergeKeys = (keys: readonly ShardAnswer<FlowKey>[]): FlowKey =>
  mergeKey(keys.map(({ shard, answer }) => ({ shard, answer: nameHolders(shard, answer) })));
