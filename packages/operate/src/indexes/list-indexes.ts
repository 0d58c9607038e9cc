import type { Queryable } from '@duework/queue-core';
import { DOCTOR_LIMITS } from '../doctor/doctor-limits.js';
import { readIndexes } from '../doctor/sql/read-indexes.js';
import type { ListedIndex } from './index-care.js';
import { isOwnIndex, stateOfIndex, type BloatLimits } from './state-of-index.js';

/**
 * Duework's own indexes and what is left over of their rebuilds, the largest first; without those of days, which are dropped
 * before they bloat.
 */
export async function listIndexes(db: Queryable, given: Partial<BloatLimits> = {}): Promise<ListedIndex[]> {
  const limits = { ...DOCTOR_LIMITS, ...given };
  return (await readIndexes(db))
    .map((facts) => ({ facts, state: stateOfIndex(facts, limits) }))
    .filter(({ facts, state }) => isOwnIndex(facts) || state === 'left_over' || state === 'in_work')
    .map(({ facts: { name, table, bytes, neededBytes }, state }) => ({ name, table, state, bytes, neededBytes }))
    .sort((a, b) => b.bytes - a.bytes);
}
