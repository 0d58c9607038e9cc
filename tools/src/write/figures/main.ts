/** `npm run write -- figures`: writes the tables of figures in README.md and docs/ from docs/benchmark.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSources } from '../../../bootstrap/list-sources.mjs';
import { below, root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { drawChart } from '../../measure/bench/report/draw-chart.js';
import type { Result, SavedRun } from '../../measure/bench/report/run.js';
import { renderTable } from './render-table.js';
import { replaceTables } from './replace-tables.js';
import { tables } from './tables.js';
import { wrapProse } from './wrap-prose.js';

const NAMES: Readonly<Record<string, string>> = {
  node: 'Node',
  postgres: 'PostgreSQL',
  redis: 'Redis (an fsync for each write)',
  bullmq: 'BullMQ',
};

/** The published run with every result, from which the rounds are counted: some measures take fewer than others. */
type CountedRun = Pick<SavedRun, 'machine'> & { readonly results: readonly Pick<Result, 'measure' | 'round'>[] };

/** How the published figures were taken, in a paragraph. */
function renderConditions({ machine, results }: CountedRun): string {
  const { cores, cpu, memoryGb, versions } = machine;
  const used = Object.entries(versions)
    .filter(([name, version]) => version !== undefined && name !== 'duework')
    .map(([name, version]) => `${NAMES[name] ?? name} ${version}`);
  return wrapProse(`${countRounds(results)} on ${cores} × ${cpu}, ${memoryGb} GB: ${used.join(', ')}.`);
}

function countRounds(results: CountedRun['results']): string {
  const rounds = new Map<string, number>();
  for (const { measure, round } of results) rounds.set(measure, Math.max(rounds.get(measure) ?? 0, round + 1));
  const [fewest, most] = [Math.min(...rounds.values()), Math.max(...rounds.values())];
  if (most === 1) return 'One round';
  return `Medians of ${fewest === most ? most : `${fewest} to ${most}`} rounds`;
}

const SOURCE = join(root, 'docs/benchmark.json');
const CHART = join(root, 'docs/benchmark.svg');

const SUMMARY = `Writes the tables between <!-- figures: NAME --> and <!-- /figures --> in README.md and docs/ anew, from docs/benchmark.json, which npm run measure -- bench --json docs/benchmark.json writes. The tables: ${Object.keys(tables).join(', ')}; and conditions, how they were taken. All figures are of one run: rows that it did not measure are named as such. Exit code 1: a table is missing or, with --check, out of date.`;

const program = createProgram('write figures', SUMMARY)
  .option('--check', 'writes nothing, and fails when a table is not what the figures say')
  .option('--chart', 'also draws docs/benchmark.svg anew');

interface Given {
  readonly check?: true;
  readonly chart?: true;
}

const readRun = (path: string): SavedRun & CountedRun =>
  JSON.parse(readFileSync(path, 'utf8')) as SavedRun & CountedRun;

const listDocs = (): string[] =>
  ['README.md', ...listSources('docs').filter((path) => path.endsWith('.md'))].map((path) => join(root, path));

async function writeFigures(): Promise<number> {
  const { check, chart } = program.opts<Given>();
  const run = readRun(SOURCE);
  if (run.isQuick) throw new Error(`${below(SOURCE)} is of a quick run, which is too small for figures.`);
  let outOfDate = 0;
  for (const path of listDocs()) {
    const text = readFileSync(path, 'utf8');
    const written = replaceTables(text, (name) => {
      if (name === 'conditions') return renderConditions(run);
      const table = tables[name];
      if (table === undefined) throw new Error(`${below(path)} asks for figures that there are not: ${name}.`);
      return renderTable(table, run);
    });
    if (written === text) continue;
    outOfDate += 1;
    if (check !== true) writeFileSync(path, written);
    process.stdout.write(`${check === true ? 'Out of date' : 'Written'}: ${below(path)}\n`);
  }
  if (chart === true) {
    writeFileSync(CHART, `${await drawChart(run)}\n`);
  }
  if (check !== true || outOfDate === 0) return 0;
  process.stdout.write('npm run write -- figures writes them anew.\n');
  return 1;
}

await runProgram(program, writeFigures);
