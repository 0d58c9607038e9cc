import { DEFAULT_PRIORITY } from '@duework/contracts';
import { DueworkError, isStorableText } from '@duework/sql/errors';
import { requireInline } from '../objects/require-inline.js';
import type { JobRequest } from '../enqueue/job-request.js';
import { sendThroughHook } from '../enqueue/send-through-hook.js';
import type { Act } from '../ports/act.js';
import type { Batch, BatchPage, CancelledBatch } from '../ports/batches.js';
import type { EnqueuedJob, JoinedBatch, NewRun } from '../ports/producer.js';
import type { QueueStore } from '../ports/store.js';
import { checkAct, checkLimit } from '../check-call.js';
import { requireCapability, requireTerms } from '../require-capability.js';

import { makeNewBatch, makeRunsOf, type BatchRequest } from './make-new-batch.js';

export interface BatchListing {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The verbs about batches; `enqueue-batch.ts` says what each does. `TDropped` is `null` if a full queue drops runs. */
export interface BatchVerbs<TDropped extends null = never> {
  enqueueBatch(
    request: BatchRequest,
  ): Promise<{ readonly id: string; readonly jobs: readonly EnqueuedJob[] } | TDropped>;
  addToBatch(id: string, jobs: readonly JobRequest[]): Promise<readonly EnqueuedJob[] | TDropped>;
  getBatch(id: string): Promise<Batch>;
  listBatches(listing?: BatchListing): Promise<BatchPage>;
  cancelBatch(id: string, act?: Act): Promise<CancelledBatch>;
}

/** What they need of a store. */
export type BatchStore<TDropped extends null = never> = Pick<
  QueueStore<TDropped>,
  'insertBatch' | 'findBatch' | 'listBatches' | 'cancelBatch' | 'capabilities'
>;

/** The same over any store. */
export function batchesOver<TDropped extends null = never>(store: BatchStore<TDropped>): BatchVerbs<TDropped> {
  const requireBatches = (): void => requireCapability(store.capabilities, 'batches', 'batch');
  const getBatch = async (id: string): Promise<Batch> => {
    requireBatches();
    checkId(id);
    const found = await store.findBatch(id);
    if (found === null) throw new DueworkError('batch_not_found', { id });
    return found;
  };
  const insert = (batch: JoinedBatch, runs: readonly NewRun[]): Promise<EnqueuedJob[] | TDropped> => {
    for (const run of runs) checkCapabilities(store, run);
    return sendThroughHook(runs, (sent) => store.insertBatch(batch, sent));
  };
  return {
    async enqueueBatch(request) {
      requireBatches();
      const { batch, runs } = makeNewBatch(request);
      for (const run of Object.values(batch.callbacks!)) checkCapabilities(store, run);
      const jobs = await insert(batch, runs);
      return jobs === null ? jobs : { id: batch.id, jobs };
    },
    async addToBatch(id, jobs) {
      requireBatches();
      checkId(id);
      return insert({ id }, makeRunsOf(id, jobs));
    },
    getBatch,
    async listBatches({ limit = 50, cursor } = {}) {
      requireBatches();
      checkLimit(limit);
      return store.listBatches({ limit, cursor });
    },
    async cancelBatch(id, act = {}) {
      checkAct(act);
      await getBatch(id);
      return store.cancelBatch(id, act);
    },
  };
}

/** What is no text that could be stored is the id of no batch, and no query. */
function checkId(id: string): void {
  if (!isStorableText(id)) throw new DueworkError('batch_not_found', { id });
}

/**
 * Refuses what the store would ignore: gates, rules that make a run one of a kind, what was agreed for it, and a priority;
 * the default priority asks for nothing and is allowed.
 */
export function checkCapabilities(
  { capabilities }: Pick<BatchStore<null>, 'capabilities'>,
  { priority, flow, unique, isLarge, type, payloadJson }: NewRun,
): void {
  if (!capabilities.objects) requireInline({ type, payloadJson, isLarge }, 'The payload of a job in this store');
  if (unique !== null) requireCapability(capabilities, 'unique', 'unique');
  requireTerms(capabilities, flow?.terms ?? {});
  if (flow?.gates !== undefined) requireCapability(capabilities, 'flow', 'flow control');
  if (priority !== DEFAULT_PRIORITY) requireCapability(capabilities, 'priorities', 'priority');
}
