import { DueworkError, type Transactable } from '@duework/queue-core';
import { ApiError } from '../api-error.js';
import type { ApiContext, ApiParts } from '../api.js';
import { readAsOf } from '../sql/read-as-of.js';

/** Until when what was committed is in an answer that a standby has given. */
export const AS_OF_HEADER = 'Duework-As-Of';

/**
 * Asks the standby where there is one, and says in `Duework-As-Of` until when it knows what was committed; the primary,
 * where the standby does not answer, or has to give way to what it replays. For what is shown alone: nothing that is
 * decided may ask it.
 */
export async function readOnStandby<T>(
  { db, readDb, log }: Pick<ApiParts, 'db' | 'readDb' | 'log'>,
  c: ApiContext,
  ask: (db: Transactable) => Promise<T>,
): Promise<T> {
  if (readDb === undefined) return ask(db);
  try {
    // first, so that nothing is missing from the answer that was committed before that moment
    const asOf = await readAsOf(readDb);
    const answer = await ask(readDb);
    if (asOf !== null) c.header(AS_OF_HEADER, asOf.toISOString());
    return answer;
  } catch (error) {
    if (DueworkError.is(error) || error instanceof ApiError) throw error;
    log.warn({ requestId: c.get('requestId'), reason: (error as Error).message }, 'standby.failed');
    return ask(db);
  }
}
