import type { FlowKey, FlowPreview } from '@duework/operate';
import { nameId } from '@duework/shards';
import type { FlowOperations } from '../flow-operations.js';
import type { OfShard } from '../of-shard.js';
import type { AllShards } from './all-shards.js';

/** Flow control on several shards: each has rules and keys of its own, which are changed wherever they are. */
export function flowOnShards(shards: AllShards): FlowOperations {
  return {
    async list() {
      const rules = await shards.rows((queue) => queue.flow.list());
      return rules.sort(by(({ name, shard }) => [name, shard]));
    },
    async keys(rule, page) {
      const pages = await shards.lookWhereKnown((queue) => queue.flow.keys(rule, page));
      const all = pages
        .flatMap(({ shard, answer }) => answer.keys.map((key) => nameKey(shard, key)))
        .sort(by(({ key, shard }) => [key, shard]));
      const last = all[page.limit - 1]?.key;
      // a key of two shards stays on one page, because the next begins behind its name
      const keys = last === undefined ? all : all.filter(({ key }) => key <= last);
      const hasMore = keys.length < all.length || pages.some(({ answer }) => answer.nextCursor !== null);
      return { keys, nextCursor: hasMore ? keys.at(-1)!.key : null };
    },
    async preview(rule, change) {
      const previews = (await shards.lookWhereKnown((queue) => queue.flow.preview(rule, change))).map(
        ({ answer }) => answer,
      );
      return previews.reduce(addPreviews);
    },
    change: async (rule, change, reason) =>
      (await shards.change((queue) => queue.flow.change(rule, change, reason)))[0]!.answer,
    close: async (key, duration, reason) =>
      (await shards.change((queue) => queue.flow.close(key, duration, reason)))[0]!.answer,
    open: async (key, reason) => (await shards.change((queue) => queue.flow.open(key, reason)))[0]!.answer,
  };
}

const nameKey = (shard: string, key: FlowKey): OfShard<FlowKey> & { readonly shard: string } => ({
  ...key,
  shard,
  holders: key.holders.map((holder) => ({ ...holder, id: nameId(shard, holder.id) })),
});

const addPreviews = (one: FlowPreview, other: FlowPreview): FlowPreview => ({
  ...one,
  running: one.running + other.running,
  waiting: one.waiting + other.waiting,
  letIn: sum(one.letIn, other.letIn),
  over: sum(one.over, other.over),
  isAtLeast: one.isAtLeast || other.isAtLeast,
});

const sum = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : one + other;

/** Orders rows by some texts of theirs. */
function by<T>(texts: (row: T) => readonly string[]): (a: T, b: T) => number {
  return (a, b) => {
    const others = texts(b);
    for (const [at, text] of texts(a).entries()) if (text !== others[at]) return text < others[at]! ? -1 : 1;
    return 0;
  };
}
