import { expect, test } from '@jest/globals';
import { drainOne } from '../measures/drain.js';
import { fullSize } from '../sizes.js';
import { systems } from '../systems/list-systems.js';
import { printTable } from './print-table.js';
import { summarise } from './report.js';
import { findMedian, type Result, type Run } from './run.js';

const machine = { cpu: '', cores: 2, memoryGb: 1, system: '', isDataInMemory: false, versions: {}, settings: {} };

/** A run of drains; a text is the error of a failed turn. */
function runOf(turns: readonly [Result['system'], number | string][]): Run {
  const results = turns.map(([system, rate]): Result => {
    const turn = { measure: 'drain', system, round: 0, foreignCpu: 0 };
    return typeof rate === 'string' ? { ...turn, error: rate } : { ...turn, figures: { jobsPerSecond: rate } };
  });
  const measures = [drainOne];
  return { measures, systems, missing: [], rounds: 1, size: fullSize, isQuick: false, machine, tookMs: 0, results };
}

const rateOf = (run: Run, system: Result['system']): number | undefined =>
  findMedian(summarise(run), 'drain', system, 'jobsPerSecond');

test('a figure is the median of the measured rounds, and a system without a figure has its last error', () => {
  const run = runOf([
    ['duework', 100],
    ['duework', 'lost'],
    ['duework', 300],
    ['pg-boss', 'first'],
    ['pg-boss', 'last'],
  ]);
  expect(rateOf(run, 'duework')).toBe(200);
  expect(rateOf(run, 'pg-boss')).toBeUndefined();
  expect(summarise(run)['drain']?.['pg-boss']).toEqual({ error: 'last' });
  expect(summarise(run)['drain']?.floor).toBeUndefined();
});

test('the targets are judged for the default client, and for the other one where only that was measured', () => {
  const isMet = (run: Run): boolean => /≥ 1.7 × graphile\s+│ met/.test(printTable(run, summarise(run)));
  const both = runOf([
    ['duework', 100],
    ['duework-pg', 300],
    ['graphile', 100],
  ]);
  expect(isMet(both)).toBe(false);
  const one = runOf([
    ['duework-pg', 300],
    ['graphile', 100],
  ]);
  expect(isMet({ ...one, systems: systems.filter(({ name }) => name !== 'duework') })).toBe(true);
});
