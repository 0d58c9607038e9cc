import { FIGURE_NAMES, type Costs } from './figures.js';

/** What docs/costs.json holds. */
export interface SavedCosts {
  /** The PostgreSQL that counted. */
  readonly postgres: string;
  readonly costs: Costs;
}

/** The file, a line for each case in the order of their names, so that a change shows as changed lines. */
export function renderCosts({ postgres, costs }: SavedCosts): string {
  const lines = Object.entries(costs)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, figures]) => {
      const values = FIGURE_NAMES.map((figure) => `${JSON.stringify(figure)}: ${figures[figure]}`);
      return `    ${JSON.stringify(name)}: { ${values.join(', ')} }`;
    });
  return `{\n  "postgres": ${JSON.stringify(postgres)},\n  "costs": {\n${lines.join(',\n')}\n  }\n}\n`;
}
