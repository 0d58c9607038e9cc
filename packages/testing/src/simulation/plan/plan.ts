/**
 * What can go wrong at a call: the process dies or is stopped (SIGSTOP) before it was sent, or after it took effect and
 * before its answer arrived; it fails before it took effect, or its answer is lost after it did; it or its answer is
 * slow.
 */
export const CALL_FAULTS = [
  'crash-before',
  'crash-after',
  'stall-before',
  'stall-after',
  'refuse',
  'lose',
  'slow-before',
  'slow-after',
] as const;
/** Faults at a call of a producer or an operator. */
export const CLIENT_FAULTS = ['refuse', 'lose', 'slow-before', 'slow-after'] as const;
/** Faults at an await of a handler. */
export const STEP_FAULTS = ['crash-before', 'stall-before'] as const;
/** Faults at a message of the store: it never arrives. */
export const MESSAGE_FAULTS = ['lose'] as const;

export type FaultKind = (typeof CALL_FAULTS)[number];

/**
 * One simulation: what follows from the seed, without what was left out. Faults are named by the place where they
 * occur, such as `w1.1/settle#3`: the third settlement of the first process in the place of worker 1.
 */
export interface Plan {
  readonly seed: number;
  /** The jobs, operations and workers to keep, by number; null: all that the seed makes. */
  readonly jobs: readonly number[] | null;
  readonly operations: readonly number[] | null;
  readonly workers: number | null;
  /** null: what the seed makes. */
  readonly faults: ReadonlyMap<string, FaultKind> | null;
}

/** Everything that follows from a seed. */
export function planOf(seed: number): Plan {
  return { seed, jobs: null, operations: null, workers: null, faults: null };
}
