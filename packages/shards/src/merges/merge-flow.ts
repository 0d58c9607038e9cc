import { answersOf, greatest, least, type Moment, type Part, sums, union } from './parts.js';

export interface RulePart {
  readonly types: readonly string[];
  readonly keys: number;
  readonly running: number;
  readonly used: number;
  readonly waiting: number;
  readonly closed: number;
  readonly trying: number;
  readonly blocked: number;
  readonly waitingSince: Moment | null;
  readonly closedUntil: Moment | null;
  readonly isAtLeast: boolean;
}

/** One rule of all shards: its terms hold in each of them by itself, and its counts are added up. */
export function mergeRule<T extends RulePart>(parts: readonly Part<T>[]): T {
  const rules = answersOf(parts);
  return {
    ...rules[0]!,
    ...sums(rules, 'keys', 'running', 'used', 'waiting', 'closed', 'trying', 'blocked'),
    types: union(rules.map(({ types }) => types)),
    waitingSince: least(rules, 'waitingSince'),
    closedUntil: greatest(rules, 'closedUntil'),
    isAtLeast: rules.some(({ isAtLeast }) => isAtLeast),
  };
}

interface Preview {
  readonly running: number;
  readonly waiting: number;
  readonly letIn: number | null;
  readonly over: number | null;
  readonly isAtLeast: boolean;
}

export function mergeFlowPreview<T extends Preview>(parts: readonly Part<T>[]): T {
  const previews = answersOf(parts);
  return {
    ...previews[0]!,
    ...sums(previews, 'running', 'waiting', 'letIn', 'over'),
    isAtLeast: previews.some(({ isAtLeast }) => isAtLeast),
  };
}

const MAX_HOLDERS = 20;

export interface KeyPart {
  readonly used: number;
  readonly waiting: number;
  readonly failed: number | null;
  readonly attempts: number | null;
  readonly holders: readonly object[];
  readonly waitingIsAtLeast: boolean;
  readonly waitingSince: Moment | null;
  readonly closedUntil: Moment | null;
}

/** One key of all shards, each of which has let in by its own. */
export function mergeKey<T extends KeyPart>(parts: readonly Part<T>[]): T {
  const keys = answersOf(parts);
  return {
    ...keys[0]!,
    ...sums(keys, 'used', 'waiting', 'failed', 'attempts'),
    holders: keys.flatMap(({ holders }) => holders).slice(0, MAX_HOLDERS),
    waitingIsAtLeast: keys.some(({ waitingIsAtLeast }) => waitingIsAtLeast),
    waitingSince: least(keys, 'waitingSince'),
    closedUntil: greatest(keys, 'closedUntil'),
  };
}
