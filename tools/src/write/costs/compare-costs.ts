import { FIGURE_NAMES, FIGURES, type Costs } from './figures.js';

/** Sentences, one for each figure. */
export interface CostDifference {
  readonly grown: readonly string[];
  readonly fallen: readonly string[];
  /** Cases that only one side has. */
  readonly unknown: readonly string[];
}

/** Compares what verbs cost now with what they cost before. */
export function compareCosts(before: Costs, now: Costs): CostDifference {
  const grown: string[] = [];
  const fallen: string[] = [];
  for (const [name, figures] of Object.entries(now)) {
    const old = before[name];
    if (old === undefined) continue;
    for (const figure of FIGURE_NAMES) {
      const [was, is] = [old[figure], figures[figure]];
      if (was === is) continue;
      const isFallen = typeof was === 'number' && is !== null && is < was;
      (isFallen ? fallen : grown).push(`${name}: ${FIGURES[figure]}, was ${was}, is ${is}`);
    }
  }
  const unknown = [
    ...Object.keys(now)
      .filter((name) => before[name] === undefined)
      .map((name) => `${name}: not in the file`),
    ...Object.keys(before)
      .filter((name) => now[name] === undefined)
      .map((name) => `${name}: not measured any more`),
  ];
  return { grown, fallen, unknown };
}
