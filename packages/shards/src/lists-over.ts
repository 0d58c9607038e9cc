import type { Batch, Job, JobQueue } from '@duework/queue-core';
import { splitId } from '@duework/queue-core/internals';
import type { Answers, AskShards } from './ask-shards.js';
import { mergePages } from './merge-pages.js';
import type { Gathered, Shards } from './shards.js';

interface Over {
  readonly names: readonly string[];
  readonly ask: AskShards;
  readonly queueOf: (shard: string) => JobQueue;
}

type Lists = Pick<Shards, 'findJobs' | 'listBatches' | 'listPauses' | 'queueDepth'>;

/** What is read of all shards and shown as one. */
export function listsOver({ names, ask, queueOf }: Over): Lists {
  return {
    async findJobs(listing = {}) {
      const { limit = 50, cursor, status } = listing;
      const { items, ...page } = await mergePages<Job>({
        limit,
        cursor,
        names,
        ask,
        compare: status === 'running' ? longestDueFirst : newestFirst,
        // what has come since stands before it
        cursorBehind: status === 'running' ? undefined : ({ id }) => `-${splitId(id).id}`,
        async read(shard, most, from) {
          const { jobs, nextCursor } = await queueOf(shard).findJobs({ ...listing, limit: most, cursor: from });
          return { items: jobs, nextCursor };
        },
      });
      return { jobs: items, ...page };
    },
    async listBatches({ limit = 50, cursor } = {}) {
      const { items, ...page } = await mergePages<Batch>({
        limit,
        cursor,
        names,
        ask,
        compare: newestFirst,
        async read(shard, most, from) {
          const { batches, nextCursor } = await queueOf(shard).listBatches({ limit: most, cursor: from });
          return { items: batches, nextCursor };
        },
      });
      return { batches: items, ...page };
    },
    listPauses: async () => gather(await ask.ask(names, (shard) => queueOf(shard).listPauses())),
    queueDepth: async () => gather(await ask.ask(names, (shard) => queueOf(shard).queueDepth())),
  };
}

const newestFirst = (a: Pick<Job, 'createdAt'>, b: Pick<Job, 'createdAt'>): number =>
  b.createdAt.getTime() - a.createdAt.getTime();
const longestDueFirst = (a: Job, b: Job): number => a.runAt.getTime() - b.runAt.getTime();

function gather<T>({ answers, problems }: Answers<readonly T[]>): Gathered<T & { readonly shard: string }> {
  const all = answers.flatMap(({ shard, answer }) => answer.map((one) => ({ ...one, shard })));
  return Object.defineProperty(all, 'problems', { value: problems }) as Gathered<T & { readonly shard: string }>;
}
