/** `npm run docs:figures`: writes the tables of figures in README.md and docs/ from docs/benchmark.json. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { below, root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { drawChart } from '../report/draw-chart.js';
import { installRivals } from '../rivals/install-rivals.js';
import { renderTable, type PublishedRun } from './render-table.js';
import { replaceTables } from './replace-tables.js';
import { tables } from './tables.js';

const SOURCE = join(root, 'docs/benchmark.json');
const CHART = join(root, 'docs/benchmark.svg');

const SUMMARY = `Writes the tables between <!-- figures: NAME --> and <!-- /figures --> in README.md and docs/ anew, from docs/benchmark.json, which npm run bench -- --json docs/benchmark.json writes. The tables: ${Object.keys(tables).join(', ')}. Exit code 1: a table is missing or, with --check, out of date.`;

const program = createProgram('docs:figures', SUMMARY)
  .option('--clients <file>', 'first takes over a run of both clients, as npm run bench -- --json has written it')
  .option('--check', 'writes nothing, and fails when a table is not what the figures say')
  .option('--chart', 'also draws docs/benchmark.svg anew');

interface Given {
  readonly check?: true;
  readonly chart?: true;
  readonly clients?: string;
}

const readRun = (path: string): PublishedRun => JSON.parse(readFileSync(path, 'utf8')) as PublishedRun;

function listDocs(): string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  return [
    join(root, 'README.md'),
    ...docs.filter((path) => path.endsWith('.md')).map((path) => join(root, 'docs', path)),
  ];
}

async function writeFigures(): Promise<number> {
  const { check, chart, clients } = program.opts<Given>();
  if (clients !== undefined)
    writeFileSync(SOURCE, `${JSON.stringify({ ...readRun(SOURCE), clients: readRun(clients) }, null, 1)}\n`);
  const run = readRun(SOURCE);
  let outOfDate = 0;
  for (const path of listDocs()) {
    const text = readFileSync(path, 'utf8');
    const written = replaceTables(text, (name) => {
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
    await installRivals([], { isChartWanted: true });
    writeFileSync(CHART, `${await drawChart(run)}\n`);
  }
  if (check !== true || outOfDate === 0) return 0;
  process.stdout.write('npm run docs:figures writes them anew.\n');
  return 1;
}

await runProgram(program, writeFigures);
