import {
  BATCH_MOMENTS,
  type Batch,
  type BatchRequest,
  type EnqueuedJob,
  type Job,
  type JobQueue,
} from '@duework/queue-core';
import { DueworkError } from '@duework/sql/errors';
import { changesAt, nameId, splitId } from '@duework/queue-core/internals';

/** The queue of one shard, as those outside of it know it: its ids name the shard. */
export function queueInShard(shard: string, queue: JobQueue): JobQueue {
  const own = (id: string): string => {
    const { shard: named, id: number } = splitId(id);
    if (named !== null && named !== shard) throw new DueworkError('unknown_shard', { shard: named, shards: [shard] });
    return number;
  };
  const named = <T extends { readonly id: string }>(one: T): T => ({ ...one, id: nameId(shard, one.id) });
  const nameAll = (jobs: readonly EnqueuedJob[]): EnqueuedJob[] => jobs.map(named);
  const job = (one: Job): Job => ({ ...named(one), batch: one.batch === null ? null : nameId(shard, one.batch) });
  const batch = (one: Batch): Batch => ({
    ...named(one),
    callbacks: Object.fromEntries(
      Object.entries(one.callbacks).map(([moment, id]) => [moment, id === null ? null : nameId(shard, id)]),
    ) as Batch['callbacks'],
  });
  const told = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      throw nameError(shard, error);
    }
  };
  const at = <T>(id: string, act: (own: string) => Promise<T>): Promise<T> => told(async () => act(own(id)));
  return {
    kind: queue.kind,
    capabilities: queue.capabilities,
    enqueue: (...call) => told(async () => named(await queue.enqueue(...call))),
    enqueueMany: (...call) => told(async () => nameAll(await queue.enqueueMany(...call))),
    signal: (...call) => queue.signal(...call),
    publish: async (...call) => {
      const published = await queue.publish(...call);
      return { ...published, jobs: published.jobs.map(named) };
    },
    getJob: (id) =>
      at(id, async (number) => {
        const found = await queue.getJob(number);
        return { ...found, job: job(found.job) };
      }),
    result: (contract, id, options) => at(id, (number) => queue.result(contract, number, options)),
    async findJobs(listing) {
      const page = await queue.findJobs(listing);
      return { ...page, jobs: page.jobs.map(job) };
    },
    ...changesAt((id, act) => at(id, (number) => act(queue, number))),
    pauseQueue: (...call) => queue.pauseQueue(...call),
    resumeQueue: (...call) => queue.resumeQueue(...call),
    pauseType: (...call) => queue.pauseType(...call),
    resumeType: (...call) => queue.resumeType(...call),
    listPauses: () => queue.listPauses(),
    queueDepth: () => queue.queueDepth(),
    async enqueueBatch(request) {
      const begun = await queue.enqueueBatch(nameBatchFor(shard, request));
      return { id: nameId(shard, begun.id), jobs: nameAll(begun.jobs) };
    },
    addToBatch: (id, jobs) => at(id, async (number) => nameAll(await queue.addToBatch(number, jobs))),
    getBatch: (id) => at(id, async (number) => batch(await queue.getBatch(number))),
    async listBatches(listing) {
      const page = await queue.listBatches(listing);
      return { ...page, batches: page.batches.map(batch) };
    },
    cancelBatch: (id, act) => at(id, (number) => queue.cancelBatch(number, act)),
  };
}

/** A refusal says the id by which its caller knows the job. */
function nameError(shard: string, error: unknown): unknown {
  if (!DueworkError.is(error)) return error;
  const facts = error.facts as { readonly id?: unknown };
  if (typeof facts.id !== 'string' || splitId(facts.id).shard !== null) return error;
  return new DueworkError(error.code, { ...error.facts, id: nameId(shard, facts.id) } as never, { cause: error });
}

/** What is made of the batch's id gets the one that names its shard. */
function nameBatchFor(shard: string, request: BatchRequest): BatchRequest {
  const named: Record<string, unknown> = { ...request };
  for (const moment of BATCH_MOMENTS) {
    const given = request[moment];
    if (typeof given === 'function') named[moment] = (id: string) => given(nameId(shard, id));
  }
  return named as unknown as BatchRequest;
}
