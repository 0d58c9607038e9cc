import { DueworkError, findContract, jobRequest } from '@duework/queue-core';
import { makeNewRun, type EnqueuedJob } from '@duework/queue-core/ports';
import { insertRuns } from '../insert-runs.js';
import type { MemoryTables } from '../tables/memory-tables.js';

/**
 * Enqueues what a contract wants to be told of the end of a run, once for each key. null: nobody is to be told; or the type
 * is one that nobody knows, or whose contract refuses the payload.
 */
export function tellEnd(
  tables: MemoryTables,
  told: string | undefined,
  payload: object,
  idempotencyKey: string,
): EnqueuedJob | null {
  if (told === undefined) return null;
  try {
    const request = jobRequest(findContract(tables.catalog, told), payload, { idempotencyKey });
    return insertRuns(tables, [makeNewRun(request)])[0]!;
  } catch (error) {
    if (!(error instanceof DueworkError)) throw error;
    return null;
  }
}
