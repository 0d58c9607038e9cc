import Table from 'cli-table3';
import { formatNumber } from './format-number.mjs';
import { judgeTargets } from './judge-targets.mjs';

const SHORT = {
  duework: 'Duework',
  graphile: 'graphile\nfast',
  'graphile-defaults': 'graphile\ndefaults',
  'pg-boss': 'pg-boss',
  bullmq: 'BullMQ',
  'bullmq-everysec': 'BullMQ\nfsync 1 s',
  floor: 'floor',
};
const MARK = { true: 'met', false: 'MISSED', null: '–' };

/** The medians as a table: a row for each figure, a column for each system; Duework against the best rival and the floor. */
export function printTable({ measures, systems: all }, summary) {
  const systems = all.filter(({ name }) => measures.some((measure) => summary[measure.name][name] !== undefined));
  const table = new Table({
    head: ['', ...systems.map(({ name }) => SHORT[name]), '× best\nrival', '× floor', 'target', ''],
    colAligns: ['left', ...systems.map(() => 'right'), 'right', 'right', 'left', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const measure of measures) {
    for (const figure of measure.figures) table.push(rowOf({ measure, figure, systems, summary }));
  }
  return `${table.toString()}\n`;
}

function rowOf({ measure, figure, systems, summary }) {
  const of = (name) => summary[measure.name][name]?.[figure.key];
  const cells = systems.map(({ name }) =>
    summary[measure.name][name]?.error === undefined ? formatNumber(of(name)) : 'failed',
  );
  const best = bestRival({ figure, systems, of });
  const targets = judgeTargets({ figure, measure, summary, best });
  return [
    `${figure.title}${figure.unit === '' ? '' : `, ${figure.unit}`}`,
    ...cells,
    timesOf(of('duework'), best),
    timesOf(of('duework'), of('floor')),
    targets.map(({ text }) => text).join('\n'),
    targets.map(({ isMet }) => MARK[isMet]).join('\n'),
  ];
}

/** Durable ones only: who does not wait for the disk is no rival for who does. */
function bestRival({ figure, systems, of }) {
  const values = systems
    .filter(({ rival, appendfsync }) => rival !== undefined && appendfsync !== 'everysec')
    .map(({ name }) => of(name))
    .filter((value) => value !== undefined);
  if (values.length === 0) return undefined;
  return figure.isLessBetter ? Math.min(...values) : Math.max(...values);
}

const timesOf = (own, other) =>
  own === undefined || other === undefined || other === 0 ? '–' : `${(own / other).toFixed(2)}`;
