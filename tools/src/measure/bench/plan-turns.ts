import type { BenchOptions } from './bench-options.js';
import type { Measure } from './measures/measure.js';
import type { System } from './systems/system.js';

export interface PlannedTurn {
  /** Counted from 0. */
  readonly round: number;
  readonly measure: Measure;
  readonly system: System;
}

/**
 * The order of all turns. In each round every measure visits every system before the next one does, and the systems
 * begin in another order each time, so that a noisy minute affects all of them.
 */
export function planTurns({
  measures,
  systems,
  rounds,
  isAsked,
}: Pick<BenchOptions, 'measures' | 'systems' | 'rounds' | 'isAsked'>): PlannedTurn[] {
  const turns: PlannedTurn[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const measure of measures) {
      if (round >= (measure.maxRounds ?? Infinity)) continue;
      const taking = systems.filter(
        (system) =>
          (system.isForWorkflows !== true || measure.group === 'steps') &&
          (measure.takes?.(system, { isAsked }) ?? true) &&
          (system.measures?.includes(measure.name) ?? true),
      );
      const first = round % Math.max(1, taking.length);
      for (const system of [...taking.slice(first), ...taking.slice(0, first)]) turns.push({ round, measure, system });
    }
  }
  return turns;
}
