import { pick, pickWhole, type Random } from '../world/keyed-random.js';

/** A job of a whole: how long it works, and how it ends the first times. */
export interface Leg {
  readonly ms: number;
  readonly end: 'complete' | 'throw' | 'bury';
}

/** One thing that the handler of a trip asks for. `legs`: the children that it awaits together, and those behind them. */
export type TripStep =
  | { readonly kind: 'work'; readonly ms: number }
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'signal'; readonly timeoutMs: number | null }
  | { readonly kind: 'graph'; readonly legs: readonly number[]; readonly after: number; readonly goesOn: boolean };

/** Work that belongs together: a durable handler with its children and the signals that it gets, or a batch. */
export type Whole =
  | {
      readonly kind: 'trip';
      readonly legs: readonly Leg[];
      readonly steps: readonly TripStep[];
      /** As many as it waits for, and more: before it does, while it does, and when it has ended. */
      readonly signalsAtMs: readonly number[];
    }
  /** `grows`: its first job adds another one. */
  | { readonly kind: 'batch'; readonly legs: readonly Leg[]; readonly grows: boolean };

const LAST_MS = 3_500;

export function makeWhole(random: Random): Whole {
  if (random() < 0.4) return { kind: 'batch', legs: makeLegs(random, pickWhole(random, 0, 4)), grows: random() < 0.5 };
  const legs: Leg[] = [];
  const steps = Array.from({ length: pickWhole(random, 1, 5) }, () => makeStep(random, legs));
  const waits = steps.filter(({ kind }) => kind === 'signal').length;
  const signals = waits === 0 ? 0 : waits + pickWhole(random, 0, 2);
  return { kind: 'trip', legs, steps, signalsAtMs: Array.from({ length: signals }, () => random() * LAST_MS) };
}

function makeStep(random: Random, legs: Leg[]): TripStep {
  const chance = random();
  if (chance < 0.3) return { kind: 'work', ms: random() * 150 };
  if (chance < 0.5) return { kind: 'sleep', ms: random() < 0.2 ? 0 : pickWhole(random, 1, 1_500) };
  if (chance < 0.75) return { kind: 'signal', timeoutMs: random() < 0.5 ? null : pickWhole(random, 1, 1_500) };
  const first = legs.length;
  legs.push(...makeLegs(random, pickWhole(random, 2, 3)));
  const numbers = legs.map((_, at) => at).slice(first);
  return { kind: 'graph', legs: numbers.slice(0, -1), after: numbers.at(-1)!, goesOn: random() < 0.5 };
}

const makeLegs = (random: Random, count: number): Leg[] =>
  Array.from({ length: count }, () => ({
    ms: random() * 200,
    end: pick(random, ['complete', 'complete', 'complete', 'throw', 'bury'] as const),
  }));
