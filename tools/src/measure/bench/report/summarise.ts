import type { Figure } from '../measures/measure.js';
import type { SystemName } from '../systems/system.js';
import type { Medians, Result, Run, Summary } from './run.js';

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** The median of each figure over the rounds, for each system. */
export function summarise({ measures, systems, results }: Run): Summary {
  const summary: Record<string, { [name in SystemName]?: Medians }> = {};
  for (const { name: measure, figures } of measures) {
    const ofMeasure: { [name in SystemName]?: Medians } = {};
    for (const { name } of systems) {
      const turns = results.filter((result) => result.measure === measure && result.system === name);
      const medians = mediansOf(figures, turns);
      if (medians !== null) ofMeasure[name] = medians;
    }
    summary[measure] = ofMeasure;
  }
  return summary;
}

/** null: the system took no turn. */
function mediansOf(figures: readonly Figure[], turns: readonly Result[]): Medians | null {
  const last = turns.at(-1);
  if (last === undefined) return null;
  if (turns.every((turn) => turn.figures === undefined)) return { error: last.error ?? '' };
  const entries = figures.flatMap(({ key }): [string, number][] => {
    const values = turns.flatMap((turn) => {
      const value = turn.figures?.[key];
      return typeof value === 'number' && Number.isFinite(value) ? [value] : [];
    });
    return values.length === 0 ? [] : [[key, median(values)]];
  });
  return Object.fromEntries(entries);
}
