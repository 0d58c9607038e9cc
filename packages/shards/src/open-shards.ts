/**
 * One queue over several databases. A run lives whole in one of them, from its enqueue to the end of its history; nothing is
 * moved, copied or promised across two.
 */
import {
  BATCH_MOMENTS,
  openQueue,
  type BatchRequest,
  type EnqueuedJob,
  type JobQueue,
  type JobRequest,
  jobRequest,
} from '@duework/queue-core';
import { DueworkError } from '@duework/sql/errors';
import { AskShards, problemOf } from './ask-shards.js';
import { checkKnown, chooseShard, chooseShardOfEvent, chooseShardOfSignal } from './choose-shard.js';
import { listsOver } from './lists-over.js';
import { neverArrived } from './never-arrived.js';
import { OpenNames } from './open-names.js';
import { queueInShard } from './queue-in-shard.js';
import { changesAt, checkShardName, splitId } from '@duework/queue-core/internals';
import type { ShardProblem, Shards, ShardsOptions } from './shards.js';

const ANSWER_WITHIN_MS = 1_000;

/**
 * Opens the queue over shards, through one client each. Nothing is asked yet; `checkShards` says whether each database is
 * the shard that it is called. Throws `invalid_option` for a name that is none, and for none at all.
 */
export function openShards(options: ShardsOptions): Shards {
  const { shards, shardOf, bareIds, answerWithinMs = ANSWER_WITHIN_MS } = options;
  const names = Object.keys(shards);
  names.forEach(checkShardName);
  if (names.length === 0)
    throw new DueworkError('invalid_option', { option: 'shards', expected: 'at least one', value: names });
  if (bareIds !== undefined) checkKnown(bareIds, names);
  const queues = new Map(names.map((name) => [name, queueInShard(name, openQueue(shards[name]!))]));
  const queueOf = (shard: string): JobQueue => queues.get(checkKnown(shard, names))!;
  const ask = new AskShards(answerWithinMs);
  const choice = { names, shardOf };
  const open = new OpenNames(shards, ask);
  let turn = 0;

  const by = (id: string): JobQueue => {
    const shard = splitId(id).shard ?? bareIds;
    if (shard === undefined) throw new DueworkError('shard_not_given', { what: `job ${id}`, shards: names });
    return queueOf(shard);
  };
  /** Calls where the jobs belong; where any shard will do, in the next one that can be connected to. */
  const write = async <T>(requests: readonly JobRequest[], call: (queue: JobQueue) => Promise<T>): Promise<T> => {
    const chosen = chooseShard(requests, choice);
    if (chosen !== null) return call(queueOf(chosen));
    const able = await open.names();
    const first = turn++;
    for (let tries = 0; ; tries++) {
      try {
        return await call(queueOf(able[(first + tries) % able.length]!));
      } catch (error) {
        // anything else may have been written, and would be there twice
        if (!neverArrived(error) || tries + 1 === able.length) throw error;
      }
    }
  };
  /** Does the same in each shard. Throws `shards_partly_done` where not all have done it. */
  const everywhere = async <T>(act: (queue: JobQueue) => Promise<T>): Promise<T[]> => {
    const missing: ShardProblem[] = [];
    let refusal: DueworkError | undefined;
    const done: { readonly shard: string; readonly answer: T }[] = [];
    await Promise.all(
      names.map(async (shard) => {
        try {
          done.push({ shard, answer: await act(queueOf(shard)) });
        } catch (error) {
          refusal ??= DueworkError.is(error) ? error : undefined;
          missing.push(problemOf(shard, error));
        }
      }),
    );
    // what is wrong with the call is refused by all
    if (refusal !== undefined && done.length === 0) throw refusal;
    if (missing.length > 0)
      throw new DueworkError('shards_partly_done', { done: done.map(({ shard }) => shard), missing });
    return done.map(({ answer }) => answer);
  };

  const { kind, capabilities } = queueOf(names[0]!);
  return {
    names,
    kind,
    capabilities,
    in: (shard, tx) => (tx === undefined ? queueOf(shard) : queueInShard(checkKnown(shard, names), openQueue(tx))),
    enqueue: async (contract, payload, { signal, ...given } = {}) =>
      write([jobRequest(contract, payload, given)], (queue) =>
        queue.enqueue(contract, payload, signal === undefined ? given : { ...given, signal }),
      ),
    enqueueMany: async (requests, wait): Promise<EnqueuedJob[]> =>
      requests.length === 0 ? [] : write(requests, (queue) => queue.enqueueMany(requests, wait)),
    enqueueBatch: async (request) => write(requestsOf(request), (queue) => queue.enqueueBatch(request)),
    signal: async (contract, payload, options) =>
      queueOf(chooseShardOfSignal(contract, payload, choice)).signal(contract, payload, options),
    publish: async (event, payload, options) =>
      queueOf(chooseShardOfEvent(event, payload, choice)).publish(event, payload, options),
    getJob: async (id) => by(id).getJob(id),
    result: async (contract, id, wait) => by(id).result(contract, id, wait),
    ...changesAt((id, act) => act(by(id), id)),
    addToBatch: async (id, jobs) => by(id).addToBatch(id, jobs),
    getBatch: async (id) => by(id).getBatch(id),
    cancelBatch: async (id, act) => by(id).cancelBatch(id, act),
    pauseQueue: async (name, how) => (await everywhere((queue) => queue.pauseQueue(name, how)))[0]!,
    resumeQueue: async (name, act) => firstOf(await everywhere((queue) => queue.resumeQueue(name, act))),
    pauseType: async (name, how) => (await everywhere((queue) => queue.pauseType(name, how)))[0]!,
    resumeType: async (name, act) => firstOf(await everywhere((queue) => queue.resumeType(name, act))),
    ...listsOver({ names, ask, queueOf }),
  };
}

function firstOf<T>(answers: readonly (T | null)[]): T | null {
  return answers.find((answer) => answer !== null) ?? null;
}

/** The jobs of a batch; of one without any, those that are enqueued at once because it has settled. */
function requestsOf(request: BatchRequest): readonly JobRequest[] {
  if (request.jobs.length > 0) return request.jobs;
  return BATCH_MOMENTS.flatMap((moment) => {
    const given = request[moment];
    if (given === undefined) return [];
    return [typeof given === 'function' ? given('') : given];
  });
}
