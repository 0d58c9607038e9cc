/** The whole list of what a store promises, once more through two shards: the jobs of a test live in one, the other is there. */
import { createPostgresStore } from '@duework/queue-core';
import type { ClaimRequest, Store } from '@duework/queue-core/ports';
import { describeStore, type StoreHarness } from '@duework/testing/conformance';
import { passTimeIn, emptyTables } from '@duework/testing/fixtures';
import { openShards } from './open-shards.js';
import { useTwoShards } from './testing/use-two-shards.js';

const shards = useTwoShards();
let turn = 0;

describeStore('two shards', async () => {
  const names = ['a', 'b'] as const;
  for (const name of names) await emptyTables(shards[name].db);
  const name = names[turn++ % 2]!;
  const { db } = shards[name];
  // each claim is another worker's: one that has just claimed would not find at once what is moved into the past
  const store: Store = {
    ...createPostgresStore({ db }),
    claim: (request: ClaimRequest) => createPostgresStore({ db }).claim(request),
  };
  const queue = openShards({ shards: { a: shards.a.db, b: shards.b.db }, shardOf: () => name });
  const harness: StoreHarness = {
    store: named(name, store),
    // what is of each shard has tests of its own; a batch without jobs may be in any
    queue: {
      ...queue,
      enqueueBatch: (request) => (request.jobs.length === 0 ? queue.in(name) : queue).enqueueBatch(request),
      ...pick(queue.in(name), ['pauseQueue', 'pauseType', 'resumeQueue', 'resumeType', 'listPauses', 'queueDepth']),
    },
    tx: db,
    ids: {
      malformed: ['0', '-1', '01', 'abc', ''].map((id) => `${name}.${id}`),
      unknown: `${name}.9223372036854775807`,
    },
    passTime: (ms) => passTimeIn(db, ms),
  };
  return harness;
});

function pick<T, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}

/** A store as the tests see it: its ids name the shard, both ways. */
function named(shard: string, store: Store): Store {
  // also in the key by which a parent knows its child
  const own = new RegExp(`(^|:)${shard}\\.(?=[\\w-]+(?:$|:))`);
  const strip = (value: unknown): unknown => walk(value, (text) => text.replace(own, '$1'));
  const name = (value: unknown): unknown =>
    walk(value, (text, key) =>
      (key === 'id' && /^[1-9]\d*$/.test(text)) || (key === 'batch' && text !== '') ? `${shard}.${text}` : text,
    );
  return new Proxy(store, {
    get(target, verb: keyof Store) {
      const found = target[verb];
      if (typeof found !== 'function') return found;
      return (...given: unknown[]) => {
        const isOnTransaction = verb === 'completeIn' || verb === 'writeStepIn';
        const args = given.map((value, at) => (isOnTransaction && at === 0 ? value : strip(value)));
        const answer = (found as (...args: unknown[]) => unknown).apply(target, args);
        return answer instanceof Promise ? answer.then(name) : answer;
      };
    },
  });
}

/** Changes the texts of plain objects and lists; what else there is (moments, maps, functions) stays. */
function walk(value: unknown, change: (text: string, key: string) => string, key = ''): unknown {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value)) return value.map((item) => walk(item, change, key));
  if (Object.prototype.toString.call(value) !== '[object Object]') return value;
  return Object.fromEntries(Object.entries(value as object).map(([name, item]) => [name, walk(item, change, name)]));
}
