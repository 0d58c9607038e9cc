import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BenchOptions } from '../bench-options.js';
import type { Figure } from '../measures/measure.js';
import { readRivalVersion } from '../rivals/import-rival.js';
import type { SystemName } from '../systems/system.js';
import { drawChart } from './draw-chart.js';
import { printTable } from './print-table.js';
import type { Medians, Result, Run, SavedRun, Summary } from './run.js';

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

/** A share of the machine. The kernel, which writes the durable data, needs a little. */
const DISTURBING = 0.1;

/** Prints the results and writes the requested files. Returns the exit code: 1 when something could not be measured. */
export async function report(run: Run, { json, svg }: Pick<BenchOptions, 'json' | 'svg'>): Promise<number> {
  const summary = summarise(run);
  process.stdout.write(`\n${describe(run)}\n${printTable(run, summary)}`);
  for (const { system, measure, round, error } of run.results) {
    if (error !== undefined) process.stdout.write(`Failed in round ${round + 1}: ${error} (${system}, ${measure})\n`);
  }
  const disturbed = run.results.filter(({ foreignCpu }) => (foreignCpu ?? 0) > DISTURBING);
  if (disturbed.length > 0) {
    process.stdout.write(
      `Something else used more than ${DISTURBING * 100} % of the machine during ${disturbed.length} of ${run.results.length} measurements; those figures are worse than they should be.\n`,
    );
  }
  for (const line of run.missing) process.stdout.write(`${line}\n`);
  const saved = toSavedRun(run, summary);
  if (json !== undefined) save(json, `${JSON.stringify(saved, null, 1)}\n`);
  if (svg !== undefined && readRivalVersion('vega') !== undefined) save(svg, `${await drawChart(saved)}\n`);
  return run.results.some(({ error }) => error !== undefined) ? 1 : 0;
}

function describe({ machine, rounds, tookMs, isQuick }: Run): string {
  const { cpu, cores, memoryGb, system, versions, settings, isDataInMemory } = machine;
  const medians = rounds === 1 ? 'One round' : `Medians of ${rounds} rounds`;
  const isKnown = ([, version]: [string, string | undefined]): boolean => version !== undefined;
  const list = (facts: [string, string | undefined][]): string =>
    facts.map(([name, value]) => `${name} ${value}`).join(', ');
  return [
    `${isQuick ? 'A quick look, too small for figures' : medians}, in ${Math.round(tookMs / 60_000)} min. ${cores} × ${cpu}, ${memoryGb} GB, ${system}.`,
    list(Object.entries(versions).filter(isKnown)),
    `PostgreSQL: ${list(Object.entries(settings))}`,
    ...(isDataInMemory
      ? ['The data was in memory: writing it to the disk cost nothing, so these figures are too good.']
      : []),
  ].join('\n');
}

function toSavedRun({ measures, systems, ...run }: Run, summary: Summary): SavedRun {
  const figures = measures.flatMap(({ name, figures }) =>
    figures.map(({ key, title, unit }) => ({ measure: name, key, title: title.trim(), unit })),
  );
  const saved = { ...run, systems: systems.map(({ name, title }) => ({ name, title })), figures, medians: summary };
  return saved;
}

function save(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  process.stdout.write(`Written: ${path}\n`);
}
