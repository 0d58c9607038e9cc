import {
  abortBulkAction,
  getBulkAction,
  listBulkActions,
  previewBulkAction,
  startBulkAction,
  stepBulkActions,
  undoBulkAction,
  type BulkRequest,
} from '@duework/operate';
import type { Act } from '@duework/queue-core';
import type { CommandParts } from '../program-parts.js';
import type { BulkOperations } from './bulk-operations.js';

interface BulkParts extends Pick<CommandParts, 'db' | 'jobs'> {
  readonly act: (reason?: string) => Act;
}

/** Bulk actions on a database. Edits of payloads need the module of jobs, whose contracts check them. */
export function bulkOnDatabase({ db, jobs, act }: BulkParts): BulkOperations {
  let catalog: Awaited<ReturnType<CommandParts['jobs']>>['catalog'] = [];
  const catalogFor = async ({ verb }: BulkRequest) =>
    verb === 'edit_payload' ? (catalog = (await jobs()).catalog) : catalog;
  return {
    async preview(request) {
      const { sample, ...same } = await previewBulkAction(await db(), await catalogFor(request), request);
      return { ...same, sample: sample.map(({ job, refusal }) => ({ ...pickShown(job), refusal })) };
    },
    start: async (request, reason) => startBulkAction(await db(), await catalogFor(request), request, act(reason)),
    get: async (id) => getBulkAction(await db(), id),
    list: async (limit) => (await listBulkActions(await db(), { limit })).actions,
    abort: async (id, reason) => abortBulkAction(await db(), id, act(reason)),
    undo: async (id, reason) => undoBulkAction(await db(), id, act(reason)),
    step: async (signal) => void (await stepBulkActions(await db(), catalog, signal)),
  };
}

type Sampled = Awaited<ReturnType<typeof previewBulkAction>>['sample'][number]['job'];

const pickShown = ({ id, type, queue, status, runAt, errorCode, finishedAt }: Sampled) => ({
  id,
  type,
  queue,
  status,
  runAt,
  errorCode,
  finishedAt,
});
