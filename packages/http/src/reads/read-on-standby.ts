import { DueworkError, type Transactable } from '@duework/queue-core';
import { readSqlstate } from '@duework/sql/errors';
import { ApiError } from '../api-error.js';
import type { ApiContext, ApiParts } from '../api.js';
import { readAsOf } from '../sql/read-as-of.js';
import { FairTurns } from './fair-turns.js';
import { limitReads } from './limit-reads.js';

/** Until when what was committed is in an answer that a standby has given. */
export const AS_OF_HEADER = 'Duework-As-Of';

const CANCELLED = '57014';

const turnsOf = new WeakMap<object, FairTurns>();

/**
 * Asks the standby where there is one, and says in `Duework-As-Of` until when it knows what was committed; the primary,
 * where the standby does not answer, or has to give way to what it replays. For what is shown alone: nothing that is
 * decided may ask it. Principals take turns, and what is asked ends when its client leaves. Throws `query_too_slow`,
 * `rate_limited`, `overloaded`.
 */
export async function readOnStandby<T>(
  { db, readDb, log }: Pick<ApiParts, 'db' | 'readDb' | 'log'>,
  c: ApiContext,
  ask: (db: Transactable) => Promise<T>,
): Promise<T> {
  const { signal } = c.req.raw;
  const limited = limitReads(db, signal);
  let turns = turnsOf.get(db);
  if (turns === undefined) turnsOf.set(db, (turns = new FairTurns()));
  const giveBack = await turns.take(c.get('principal'), signal);
  try {
    if (readDb === undefined) return await ask(limited);
    const standby = limitReads(readDb, signal);
    try {
      // first, so that nothing is missing from the answer that was committed before that moment
      const asOf = await readAsOf(standby);
      const answer = await ask(standby);
      if (asOf !== null) c.header(AS_OF_HEADER, asOf.toISOString());
      return answer;
    } catch (error) {
      if (DueworkError.is(error) || error instanceof ApiError || readSqlstate(error) === CANCELLED) throw error;
      log.warn({ requestId: c.get('requestId'), reason: (error as Error).message }, 'standby.failed');
      return await ask(limited);
    }
  } finally {
    giveBack();
  }
}
