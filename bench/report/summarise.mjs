const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/**
 * The median of each figure over the rounds, for each system: `{ [measure]: { [system]: { [figure]: number } | { error } } }`.
 * A system that failed in every round has its last error instead.
 */
export function summarise({ measures, systems, results }) {
  const summary = {};
  for (const measure of measures) {
    summary[measure.name] = {};
    for (const { name } of systems) {
      const turns = results.filter((result) => result.measure === measure.name && result.system === name);
      if (turns.length === 0) continue;
      const succeeded = turns.filter(({ figures }) => figures !== undefined);
      summary[measure.name][name] =
        succeeded.length === 0 ? { error: turns.at(-1).error } : mediansOf(measure.figures, succeeded);
    }
  }
  return summary;
}

function mediansOf(figures, turns) {
  return Object.fromEntries(
    figures.flatMap(({ key }) => {
      const values = turns
        .map((turn) => turn.figures[key])
        .filter((value) => typeof value === 'number' && Number.isFinite(value));
      return values.length === 0 ? [] : [[key, median(values)]];
    }),
  );
}
