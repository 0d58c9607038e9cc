import { expect, test } from '@jest/globals';
import type { SavedRun } from '../../measure/bench/report/run.js';
import { renderTable } from './render-table.js';
import { replaceTables } from './replace-tables.js';

const machine = { cpu: '', cores: 2, memoryGb: 1, system: '', isDataInMemory: false, versions: {}, settings: {} };
const run: SavedRun = {
  rounds: 1,
  isQuick: false,
  machine,
  systems: [],
  medians: { drain: { 'duework-pg': { rate: 58_073.6, cpu: 1 }, floor: { rate: 0.94 }, bullmq: { error: 'away' } } },
};
const rows = [
  { title: 'Drain, jobs/s', measure: 'drain', key: 'rate' },
  { title: '… processor time', measure: 'drain', key: 'cpu' },
];

test('a table shows three significant digits, our own figures in bold, and no column of a system without figures', () => {
  expect(renderTable({ head: 'Draining', rows }, run).split('\n')).toEqual([
    '| Draining         | Duework, pg | floor |',
    '| ---------------- | ----------: | ----: |',
    '| Drain, jobs/s    |  **58,074** |  0.94 |',
    '| … processor time |    **1.00** |     – |',
  ]);
});

test('rows that were not measured are named below the table, and so is what a marked figure is of', () => {
  const missing = { title: 'Idle, ms', measure: 'idle', key: 'cpu' };
  const marked = { title: 'Drain, jobs/s', measure: 'drain', key: 'rate', footnoted: 'floor' as const };
  const table = { head: '', footnote: 'Bare.', rows: [missing, marked] };
  expect(renderTable(table, run).split('\n')).toEqual([
    '|               | Duework, pg |  floor |',
    '| ------------- | ----------: | -----: |',
    '| Drain, jobs/s |  **58,074** | 0.94 † |',
    '',
    '† Bare.',
    '',
    'Not measured in the published run: Idle, ms.',
  ]);
  expect(renderTable({ ...table, rows: [missing] }, run)).toBe('Not measured in the published run: Idle, ms.');
});

test('only the text between the markers is replaced, and replacing it twice changes nothing', () => {
  const text = 'Before\n\n<!-- figures: a -->\nold\n<!-- /figures -->\n\nAfter\n';
  const written = replaceTables(text, (name) => `| ${name} |`);
  expect(written).toBe('Before\n\n<!-- figures: a -->\n\n| a |\n\n<!-- /figures -->\n\nAfter\n');
  expect(replaceTables(written, (name) => `| ${name} |`)).toBe(written);
});

test('a marker that is not closed is an error, and does not take the text up to the next one', () => {
  const open = '<!-- figures: a -->\nold\n';
  expect(() => replaceTables(open, () => '')).toThrow('"<!-- figures: a -->" is not closed');
  expect(() => replaceTables(`${open}<!-- figures: b -->\n<!-- /figures -->`, () => '')).toThrow('is not closed');
});
