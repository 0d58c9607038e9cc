import type { BulkAction, BulkRequest } from '@duework/operate';
import { nameId } from '@duework/shards';
import { mergeAction, mergePreview, shareRate, splitIds } from '@duework/shards/merges';
import { PlainError } from '../../plain-error.js';
import type { BulkLook, BulkOperations } from '../bulk-operations.js';
import type { AllShards, ShardAnswer } from './all-shards.js';
import { splitFilter } from './split-filter.js';

/**
 * Bulk actions on several shards: one in each, shown as one, whose id joins theirs. `atMost` bounds all of them together, and
 * the rate is divided among them.
 */
export function bulkOnShards(shards: AllShards): BulkOperations {
  const preview = async (request: BulkRequest) => {
    const filters = splitFilter(shards, request.filter);
    const looks = await shards.look((queue, shard) => queue.bulk.preview({ ...request, filter: filters.get(shard)! }), {
      among: [...filters.keys()],
      isPatient: true,
    });
    return { filters, looks };
  };
  const placesOf = (id: string): ReadonlyMap<string, string> =>
    new Map(splitIds(id).map((one) => [shards.place(one).shard, shards.place(one).number]));
  /** Does something with the action of each shard that is joined in an id. */
  const change = async (
    id: string,
    act: (bulk: BulkOperations, number: string) => Promise<BulkAction>,
  ): Promise<BulkAction> => {
    const places = placesOf(id);
    const done = await shards.change((queue, shard) => act(queue.bulk, places.get(shard)!), [...places.keys()]);
    return mergeAction(nameActions(done));
  };
  return {
    preview: async (request) => mergePreview(nameLooks((await preview(request)).looks)),
    async start({ atMost, ...request }, reason) {
      const { filters, looks } = await preview(request as BulkRequest);
      const { count } = mergePreview(looks);
      if (atMost !== undefined && (count.count > atMost || count.isAtLeast))
        throw new PlainError(
          'bulk_action_refused',
          `${count.count}${count.isAtLeast ? ' or more' : ''} jobs fit in all shards, more than ${atMost}.`,
        );
      const fitting = looks.filter(({ answer }) => answer.count.count > 0);
      const names = (fitting.length > 0 ? fitting : looks).map(({ shard }) => shard);
      const rate = request.perSecond === undefined ? {} : { perSecond: shareRate(request.perSecond, names.length) };
      const begun = await shards.change(
        (queue, shard) => queue.bulk.start({ ...request, ...rate, filter: filters.get(shard)! } as BulkRequest, reason),
        names,
      );
      return mergeAction(nameActions(begun));
    },
    async get(id) {
      const places = placesOf(id);
      const among = [...places.keys()];
      const found = await shards.look((queue, shard) => queue.bulk.get(places.get(shard)!), { among });
      const action = mergeAction(nameActions(found));
      // that of a shard which does not answer may run
      return found.length === among.length ? action : { ...action, id, status: 'running', finishedAt: null };
    },
    async list(limit) {
      const all = await shards.look((queue) => queue.bulk.list(limit));
      return all
        .flatMap(({ shard, answer }) => answer.map((action) => mergeAction(nameActions([{ shard, answer: action }]))))
        .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
        .slice(0, limit);
    },
    abort: (id, reason) => change(id, (bulk, number) => bulk.abort(number, reason)),
    undo: (id, reason) => change(id, (bulk, number) => bulk.undo(number, reason)),
    async step(signal) {
      await Promise.all(
        shards.names.map(async (shard) => {
          try {
            await shards.of(shard).bulk.step(signal);
          } catch (error) {
            shards.parts.progress(`This command steps nothing more in ${shard}: ${(error as Error).message}\n`);
          }
        }),
      );
    },
  };
}

const nameLooks = (looks: readonly ShardAnswer<BulkLook>[]): ShardAnswer<BulkLook>[] =>
  looks.map(({ shard, answer }) => ({
    shard,
    answer: { ...answer, sample: answer.sample.map((job) => ({ ...job, id: nameId(shard, job.id) })) },
  }));

const nameActions = (actions: readonly ShardAnswer<BulkAction>[]): ShardAnswer<BulkAction>[] =>
  actions.map(({ shard, answer }) => ({
    shard,
    answer: {
      ...answer,
      id: nameId(shard, answer.id),
      undoOf: answer.undoOf === null ? null : nameId(shard, answer.undoOf),
    },
  }));
