import { type Explanation, hideValuesOfPayloads, hideOthers } from '@duework/operate';
import type { Queryable } from '@duework/queue-core';
import type { Principal } from '../principal.js';
import { maySeePayloads } from './withhold.js';

/**
 * Why a job is where it is, as its caller may see it: without `payloads` or `sensitive` no value by which it waits, and where it is
 * limited to types neither who has paused or closed something, nor which job of another type is before it, or is waited for.
 */
export async function showExplanation(
  db: Queryable,
  principal: Principal,
  explained: Explanation,
): Promise<Explanation> {
  const shown = maySeePayloads(principal) ? explained : hideValuesOfPayloads(explained);
  return principal.types === null ? shown : hideOthers(db, shown, principal.types);
}
