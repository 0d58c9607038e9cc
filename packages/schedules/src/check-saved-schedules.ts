import type { Catalog } from '@duework/contracts';
import { DueworkError, type PayloadGroup, type Queryable, unsealPayload } from '@duework/queue-core';
import { PayloadTally } from '@duework/queue-core/internals';
import { readSchedulePayloads, type SchedulePayload } from './sql/read-schedule-payloads.js';
import { renderPayload } from './due-times/due-template.js';

/**
 * What a catalog would do with the payload of each saved schedule, as `checkQueuedPayloads` tells it of runs: with its
 * templates filled in for its next due time. It only reads, in batches; `signal` ends it before the next one.
 */
export async function checkSavedSchedules(
  db: Queryable,
  catalog: Catalog,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<PayloadGroup[]> {
  const tally = new PayloadTally('schedules', catalog);
  for (let afterId = '0'; ;) {
    signal?.throwIfAborted();
    const schedules = await readSchedulePayloads(db, afterId);
    for (const schedule of schedules) add(tally, catalog, schedule);
    const last = schedules.at(-1);
    if (last === undefined) return tally.groups();
    afterId = last.id;
  }
}

function add(
  tally: PayloadTally,
  catalog: Catalog,
  { type, version, payload, timeZone, dueMs }: SchedulePayload,
): void {
  const contract = catalog.find((one) => one.type === type);
  let rendered: unknown;
  try {
    const plain = contract === undefined ? payload : unsealPayload(contract, version, payload);
    rendered = renderPayload(type, plain, dueMs, timeZone);
  } catch (error) {
    // the tally says the same of it as of a run
    if (DueworkError.is(error, 'key_missing') || DueworkError.is(error, 'payload_not_readable'))
      return tally.add(type, version, payload);
    if (!DueworkError.is(error, 'invalid_template') && !DueworkError.is(error, 'unknown_time_zone')) throw error;
    return tally.refuse(type, version, 'a template cannot be filled in');
  }
  tally.add(type, version, rendered);
}
