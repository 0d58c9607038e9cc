import Table from 'cli-table3';
import type { Figure, Measure } from '../measures/measure.js';
import type { System, SystemName } from '../systems/system.js';
import { judgeTargets } from './judge-targets.js';
import { findMedian, formatNumber, hasFailed, type Run, type Summary } from './run.js';

interface Row {
  readonly measure: Measure;
  readonly figure: Figure;
  readonly systems: readonly System[];
  readonly summary: Summary;
}

/**
 * The medians as a table: a row for each figure, a column for each system; Duework (the first of its clients that was
 * measured) against the best rival, the floor and its targets.
 */
export function printTable({ measures, systems: all }: Pick<Run, 'measures' | 'systems'>, summary: Summary): string {
  const systems = all.filter(({ name }) => measures.some((measure) => summary[measure.name]?.[name] !== undefined));
  const table = new Table({
    head: ['', ...systems.map(({ head }) => head), '× best\nrival', '× floor', 'target', ''],
    colAligns: ['left', ...systems.map(() => 'right' as const), 'right', 'right', 'left', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const measure of measures) {
    for (const figure of measure.figures) table.push(cellsOf({ measure, figure, systems, summary }));
  }
  return `${table.toString()}\n`;
}

function cellsOf({ measure, figure, systems, summary }: Row): string[] {
  const of = (name: SystemName): number | undefined => findMedian(summary, measure.name, name, figure.key);
  const cells = systems.map(({ name }) =>
    hasFailed(summary[measure.name]?.[name]) ? 'failed' : formatNumber(of(name)),
  );
  const best = bestRival(figure, systems, of);
  const own = systems.find(({ isOwn }) => isOwn === true)?.name;
  const value = own === undefined ? undefined : of(own);
  const targets = judgeTargets({ figure, measure, summary, own, best });
  return [
    `${figure.title}${figure.unit === '' ? '' : `, ${figure.unit}`}`,
    ...cells,
    timesOf(value, best),
    timesOf(value, of('floor')),
    targets.map(({ text }) => text).join('\n'),
    targets.map(({ isMet }) => (isMet === null ? '–' : isMet ? 'met' : 'MISSED')).join('\n'),
  ];
}

function bestRival(
  figure: Figure,
  systems: readonly System[],
  of: (name: SystemName) => number | undefined,
): number | undefined {
  const values = systems
    .filter(({ rival }) => rival !== undefined)
    .map(({ name }) => of(name))
    .filter((value) => value !== undefined);
  if (values.length === 0) return undefined;
  return figure.isLessBetter === true ? Math.min(...values) : Math.max(...values);
}

const timesOf = (own: number | undefined, other: number | undefined): string =>
  own === undefined || other === undefined || other === 0 ? '–' : (own / other).toFixed(2);
