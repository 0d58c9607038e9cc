import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readRivalVersion } from '../rivals/import-rival.mjs';
import { drawChart } from './draw-chart.mjs';
import { printTable } from './print-table.mjs';
import { summarise } from './summarise.mjs';

/** A share of the machine. Its kernel, which writes what is to be durable, needs a little. */
const DISTURBING = 0.1;

/** Prints what was measured and writes what was asked for. Returns the exit code: 1 when something could not be measured. */
export async function report(run, { json, svg }) {
  const summary = summarise(run);
  process.stdout.write(`\n${describe(run)}\n${printTable(run, summary)}`);
  for (const { system, measure, round, error } of run.results) {
    if (error !== undefined) process.stdout.write(`Failed in round ${round + 1}: ${error} (${system}, ${measure})\n`);
  }
  const disturbed = run.results.filter(({ foreignCpu }) => foreignCpu > DISTURBING);
  if (disturbed.length > 0) {
    process.stdout.write(
      `Something else used more than ${DISTURBING * 100} % of the machine during ${disturbed.length} of ${run.results.length} measurements; those figures are worse than they should be.\n`,
    );
  }
  for (const line of run.missing) process.stdout.write(`${line}\n`);
  if (json !== undefined) save(json, `${JSON.stringify(toJson(run, summary), null, 1)}\n`);
  if (svg !== undefined && readRivalVersion('vega') !== undefined) save(svg, `${await drawChart(run, summary)}\n`);
  return run.results.some(({ error }) => error !== undefined) ? 1 : 0;
}

function describe({ machine, rounds, tookMs, isQuick }) {
  const { cpu, cores, memoryGb, system, versions, settings, isDataInMemory } = machine;
  return [
    `${isQuick ? 'A quick look, too small for figures' : `Medians of ${rounds} round${rounds === 1 ? '' : 's'}`}, in ${Math.round(tookMs / 60_000)} min. ${cores} × ${cpu}, ${memoryGb} GB, ${system}.`,
    Object.entries(versions)
      .filter(([, version]) => version !== undefined)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    `PostgreSQL: ${Object.entries(settings)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
    ...(isDataInMemory
      ? ['The data was in memory: writing it to the disk cost nothing, so these figures are too good.']
      : []),
  ].join('\n');
}

function toJson({ measures, systems, ...run }, summary) {
  return {
    ...run,
    systems: systems.map(({ name, title }) => ({ name, title })),
    figures: measures.flatMap(({ name, figures }) =>
      figures.map(({ key, title, unit }) => ({ measure: name, key, title: title.trim(), unit })),
    ),
    medians: summary,
  };
}

function save(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  process.stdout.write(`Written: ${path}\n`);
}
