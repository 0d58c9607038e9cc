import type { MemoryRun } from '../tables/memory-run.js';
import type { MemoryTables } from '../tables/memory-tables.js';
import { tellEnd } from './tell-end.js';

/** As `duework.tell_dead`: a larger payload stays with the run, because the limit of 64 KiB is for all that is told. */
const MOST_BYTES = 49_152;

/** Enqueues what the contract of a dead run names for that; what is enqueued so tells nobody of its own death. */
export function tellDead(tables: MemoryTables, run: MemoryRun): void {
  const { id, type, fence, attempts, errorCode, lastError: error, payloadJson, metaJson, terms } = run;
  const contract = tables.catalog.find((known) => known.type === type);
  const isTold = contract?.sensitiveEver.length === 0 && Buffer.byteLength(payloadJson) <= MOST_BYTES;
  const payload = {
    jobId: id,
    type,
    errorCode,
    error,
    attempts,
    meta: metaJson === null ? null : (JSON.parse(metaJson) as unknown),
    ...(isTold ? { payload: JSON.parse(payloadJson) as unknown } : {}),
  };
  const job = tellEnd(tables, terms?.onDead, payload, `dead:${id}:${fence}`);
  const told = job === null ? undefined : tables.live.get(job.id);
  if (told === undefined || told.terms === null) return;
  const { onDead: _, ...kept } = told.terms;
  told.terms = kept;
}
