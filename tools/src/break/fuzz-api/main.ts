/** `npm run break -- fuzz-api`: the API held against its own OpenAPI document. */
import { migrateShop } from '@duework/shop/migrate';
import Table from 'cli-table3';
import { createProgram, wholeNumber } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { fuzzApi, type FuzzReport } from './fuzz-api.js';

/** The report as people read it, what was found last. */
function renderReport({ answers, requests, problem }: FuzzReport, seed: number): string {
  const table = new Table({ head: ['route', 'answers'], style: { head: [], border: [] } });
  for (const [name, counts] of answers) {
    const sorted = [...counts].sort(([one], [other]) => one - other);
    table.push([name, sorted.map(([status, n]) => `${status} × ${n}`).join(', ')]);
  }
  const end =
    problem === null
      ? `Every answer was as the document has it: ${requests.toLocaleString('en')} requests, seed ${seed}.`
      : `${problem}\nTo send it again: npm run break -- fuzz-api --seed … --path …, both as shown above.`;
  return `${table.toString()}\n${end}`;
}

interface Options {
  readonly requests: number;
  readonly seconds: number;
  readonly seed?: number;
  readonly path?: string;
  readonly all?: boolean;
}

const program = createProgram(
  'break fuzz-api',
  `Starts the API on a database of its own and sends it requests that are made from its OpenAPI document: such as it describes,
nearly such, hostile ones; with every right, with the one that a route needs, with another, for some types only, with a key that
ends meanwhile, with none, and of two of these at once. Every answer has to
have a status, a content type, a code and a body that the document declares, and none may be a 5xx. Shows how often each
route answered what, and the smallest request that was answered otherwise. Exit code 1: there was one.`,
)
  .option('--requests <n>', 'how many at most', wholeNumber(1, 10_000_000), 5_000)
  .option('--seconds <n>', 'how long at most', wholeNumber(1, 36_000), 300)
  .option('--seed <n>', 'a random one unless given, and shown', wholeNumber(1, 2_000_000_000))
  .option('--all', 'go on behind a problem, and show one of each kind')
  .option('--path <path>', 'straight to one counterexample, with the path of its report; with --seed');

await runProgram(program, () => {
  const { requests, seconds, seed = Math.floor(Math.random() * 1e9), path, all = false } = program.opts<Options>();
  return withFreshDatabase(async (databaseUrl) => {
    await migrateShop({ url: databaseUrl, onProgress: () => {} });
    const report = await fuzzApi({
      databaseUrl,
      seed,
      requests,
      isForAll: all,
      ms: seconds * 1_000,
      ...(path === undefined ? {} : { path }),
    });
    process.stdout.write(`${renderReport(report, seed)}\n`);
    return report.problem === null ? 0 : 1;
  });
});
