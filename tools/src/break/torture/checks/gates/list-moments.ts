import type { Span } from './read-gates.js';

/** What is true at a key from one moment to the next. */
export interface Moment {
  readonly from: number;
  readonly to: number;
  readonly holders: ReadonlySet<Span>;
  readonly waiting: ReadonlySet<Span>;
}

/** How many units these have of a key, each at most all of them. */
export function countUnits(spans: Iterable<Span>, max: number): number {
  let sum = 0;
  for (const { units } of spans) sum += Math.min(units, max);
  return sum;
}

/** Goes through a key's time. What ends at a moment has ended before what begins at it. */
export function* listMoments(holds: readonly Span[], waits: readonly Span[]): Generator<Moment> {
  const [holders, waiting] = [new Set<Span>(), new Set<Span>()];
  const steps = [
    ...holds.map((span) => ({ span, among: holders })),
    ...waits.map((span) => ({ span, among: waiting })),
  ].flatMap(({ span, among }) => [
    { at: span.from, act: () => void among.add(span) },
    { at: span.to, act: () => void among.delete(span) },
  ]);
  steps.sort((a, b) => a.at - b.at);
  for (const [index, { at, act }] of steps.entries()) {
    act();
    const to = steps[index + 1]?.at ?? Infinity;
    if (to > at) yield { from: at, to, holders, waiting };
  }
}
