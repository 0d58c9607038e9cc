import type { Catalog } from '@duework/contracts';
import { type PayloadGroup, PayloadTally } from './payload-check/payload-tally.js';
import { BEFORE_ALL, readPayloadBatch } from '../sql/registry/read-payload-batch.js';
import { readPayloadSpan } from '../sql/registry/read-payload-span.js';
import { offloadedIn } from '../objects/object-ref.js';
import type { Queryable } from '@duework/sql';

export interface PayloadCheckOptions {
  /** Called after each batch. `about`: how many there may be, as the database believes. */
  readonly onProgress?: (progress: { readonly checked: number; readonly about: number }) => void;
  /** Ends the check before its next batch, with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/**
 * What a catalog would do with each payload that waits: of all live runs (queued, failed, running) that there were when it
 * began, by type and version. It only reads, in batches, each a statement of its own, so that it holds up nobody; what
 * ends meanwhile may or may not be counted. Payloads in objects are not parsed. Schedules are checked by `checkSavedSchedules`.
 */
export async function checkQueuedPayloads(
  db: Queryable,
  catalog: Catalog,
  { onProgress, signal }: PayloadCheckOptions = {},
): Promise<PayloadGroup[]> {
  const tally = new PayloadTally('runs', catalog);
  const { lastId, about } = await readPayloadSpan(db);
  let afterId = BEFORE_ALL;
  for (;;) {
    signal?.throwIfAborted();
    const runs = lastId === null ? [] : await readPayloadBatch(db, afterId, lastId);
    const last = runs.at(-1);
    if (last === undefined) return tally.groups();
    for (const [, type, version, payload] of runs) if (offloadedIn(payload) === null) tally.add(type, version, payload);
    afterId = last[0];
    onProgress?.({ checked: tally.checked, about });
  }
}
