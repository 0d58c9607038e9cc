import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BenchOptions } from '../bench-options.js';
import { readRivalVersion } from '../rivals/import-rival.js';
import { drawChart } from './draw-chart.js';
import { printTable } from './print-table.js';
import type { Run, SavedRun, Summary } from './run.js';
import { summarise } from './summarise.js';

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
  const medians = `Medians of ${rounds} round${rounds === 1 ? '' : 's'}`;
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
