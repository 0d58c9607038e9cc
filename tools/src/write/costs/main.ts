/**
 * `npm run write -- costs`: what the product's verbs cost, counted without a clock; `npm run check -- costs` compares it
 * with docs/costs.json.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { cleanUpAtExit } from '../../kit/clean-up.js';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { compareCosts } from './compare-costs.js';
import { type Costs, FIGURE_NAMES } from './figures.js';
import { runCases } from './run-cases.js';
import { startCostsServer } from './servers/start-costs-server.js';

/** What docs/costs.json holds. */
interface SavedCosts {
  /** The PostgreSQL that counted. */
  readonly postgres: string;
  readonly costs: Costs;
}

/** The file, a line for each case in the order of their names, so that a change shows as changed lines. */
function renderCosts({ postgres, costs }: SavedCosts): string {
  const lines = Object.entries(costs)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, figures]) => {
      const values = FIGURE_NAMES.map((figure) => `${JSON.stringify(figure)}: ${figures[figure]}`);
      return `    ${JSON.stringify(name)}: { ${values.join(', ')} }`;
    });
  return `{\n  "postgres": ${JSON.stringify(postgres)},\n  "costs": {\n${lines.join(',\n')}\n  }\n}\n`;
}

const NAME = 'docs/costs.json';

const SUMMARY = `Counts what one call of each of the product's verbs costs: round trips, statements, bytes, buffers, write-ahead log and index entries, on a PostgreSQL of its own on which nothing else happens. The counts are exact, and the same on every machine. Writes them to ${NAME}, or with --check compares. Exit code 1: one has grown, or a case is missing.`;

const program = createProgram('write costs', SUMMARY).option(
  '--check',
  'writes nothing, and fails when a call costs more',
);

async function count(): Promise<SavedCosts> {
  const server = await startCostsServer();
  try {
    return { postgres: server.version, costs: await runCases(server) };
  } finally {
    await server.stop();
  }
}

await runProgram(program, async () => {
  cleanUpAtExit();
  const file = join(root, NAME);
  const now = await count();
  if (program.opts<{ check?: true }>().check !== true) {
    writeFileSync(file, renderCosts(now));
    process.stdout.write(`${NAME} written.\n`);
    return 0;
  }
  const before = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as SavedCosts)
    : { postgres: '', costs: {} };
  const { grown, fallen, unknown } = compareCosts(before.costs, now.costs);
  for (const line of fallen) process.stdout.write(`Less: ${line}\n`);
  for (const line of unknown) process.stderr.write(`${line}\n`);
  for (const line of grown) process.stderr.write(`MORE: ${line}\n`);
  if (before.postgres !== now.postgres)
    process.stdout.write(`${NAME} is of PostgreSQL ${before.postgres || '(none)'}, this is ${now.postgres}.\n`);
  if (grown.length + unknown.length > 0) {
    process.stderr.write(`If it is worth that: npm run write -- costs\n`);
    return 1;
  }
  process.stdout.write(
    fallen.length > 0 ? `Nothing has grown. To keep it so: npm run write -- costs\n` : `Nothing has changed.\n`,
  );
  return 0;
});
