import { openOwnerSession } from '@duework/database';
import { careForIndexes } from '@duework/operate';
import { readNow, type EmitEvent, type Queryable } from '@duework/queue-core';
import { type HoursOfDay, minutesLeft } from '../settings/hours-of-day.js';

export interface CareInHours {
  readonly hours: HoursOfDay;
  readonly url: string;
  readonly engine: Queryable;
  readonly worker: string;
  readonly emit: EmitEvent;
  /** Smaller ones than the doctor finds, for tests. */
  readonly limits?: { readonly bloatBytes: number };
}

const NAME = 'duework-worker-indexes';

/** At the start, and not in the night. @throws DatabaseError where this worker may rebuild no index, with what to do */
export async function checkCare(url: string): Promise<void> {
  await (await openOwnerSession(url, NAME)).close();
}

/**
 * Rebuilds what is bloated while it is time for that by the database's clock, and ends with the hours or when `signal` aborts,
 * after it has cleaned up. Another worker that is at it is left alone.
 */
export async function careInHours(
  { hours, url, engine, worker, emit, limits }: CareInHours,
  signal: AbortSignal,
): Promise<void> {
  const minutes = minutesLeft(hours, new Date(await readNow(engine)));
  if (minutes === 0) return;
  const session = await openOwnerSession(url, NAME);
  try {
    const care = await careForIndexes(session, {
      ...(limits === undefined ? {} : { limits }),
      act: { by: 'program', via: 'program', reason: 'INDEX_CARE' },
      cancelThrough: engine,
      signal: AbortSignal.any([signal, AbortSignal.timeout(minutes * 60_000)]),
    });
    if (care === null) return;
    for (const { name: index, beforeBytes, afterBytes } of care.rebuilt)
      emit({ name: 'index.rebuilt', worker, index, beforeBytes, afterBytes });
    for (const { name: index, reason, who } of care.left) emit({ name: 'index.left', worker, index, reason, who });
  } finally {
    await session.close();
  }
}
