import { expectedSchema } from '../doctor/generated/expected-schema.js';
import type { IndexFacts } from '../doctor/sql/read-indexes.js';

/** From how much emptiness an index is bloated: so many bytes, if they are also this share of it. */
export interface BloatLimits {
  readonly bloatBytes: number;
  readonly bloatShare: number;
}

/**
 * `left_over`: PostgreSQL made it for a rebuild that did not come to its end. `in_work`: its table has an index that somebody
 * builds at this moment, so nothing is known of one that is not complete. `unbuilt`: it was never built to its end.
 */
export type IndexState = 'good' | 'bloated' | 'left_over' | 'in_work' | 'unbuilt';

/** The names that REINDEX CONCURRENTLY gives: to what it builds, and to what it has replaced. */
const LEFT_OVER = /_cc(?:new|old)\d*$/;

const expectedIndexes: ReadonlySet<string> = new Set(
  expectedSchema.things.filter(({ kind }) => kind === 'index').map(({ name }) => name),
);

/** Whether a migration of this release makes it, by itself or with a table or a constraint. */
export const isOwnIndex = (
  { name, isPart }: Pick<IndexFacts, 'name' | 'isPart'>,
  expected: ReadonlySet<string> = expectedIndexes,
): boolean => isPart || expected.has(name);

export function stateOfIndex(index: IndexFacts, { bloatBytes, bloatShare }: BloatLimits): IndexState {
  const { name, isValid, isInWork, bytes, neededBytes } = index;
  if (!isValid) return isInWork ? 'in_work' : LEFT_OVER.test(name) ? 'left_over' : 'unbuilt';
  const empty = neededBytes === null ? 0 : bytes - neededBytes;
  return empty >= bloatBytes && empty >= bytes * bloatShare ? 'bloated' : 'good';
}
