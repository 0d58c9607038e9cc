/** `npm run measure -- search`: how long pages and counts take beside millions of jobs. */
import { connectPg, connectPrisma } from '@duework/database';
import { createTemplateDatabase } from '@duework/database/testing';
import { cleanUpAtExit } from '../../kit/clean-up.js';
import { createProgram, wholeNumber } from '../../kit/create-program.js';
import { prepareFolder, type Filled } from '../../kit/prepare-folder.js';
import { runProgram } from '../../kit/run-program.js';
import { startPostgres } from '../../kit/servers/start-postgres.js';
import { timed } from '../../kit/timed.js';
import { fillJobs } from './fill-jobs.js';
import { measureSearches } from './measure-searches.js';
import { printSearches } from './print-searches.js';

const LIMIT_MS = 150;

const program = createProgram(
  'measure search',
  `Fills a PostgreSQL of its own with 10 million finished jobs, 1 million that wait and 200,000 that are dead, measures pages
and counts of many filters through a Prisma client, and exits with 1 where the 95th percentile of one is over ${LIMIT_MS} ms. It needs
10 GB below the folder for temporary files, and some minutes.`,
)
  .option('--percent <n>', 'of those jobs', wholeNumber(1, 100), 100)
  .option('--rounds <n>', 'measurements of each filter', wholeNumber(5, 1000), 60)
  .option('--keep <folder>', 'fills this folder, unless it is filled already, and leaves it')
  .option('--only-fill', 'measures nothing; with --keep');

interface Options {
  readonly percent: number;
  readonly rounds: number;
  readonly keep?: string;
  readonly onlyFill?: true;
}

/** As a small server has them; the tables do not fit into its memory. */
const SETTINGS = { shared_buffers: '512MB', max_wal_size: '4GB', synchronous_commit: 'off' };

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}

async function fill(server: string, percent: number): Promise<Filled> {
  const database = (await createTemplateDatabase(server)).name;
  const pg = connectPg({ url: urlOf(server, database), poolSize: 2 });
  const { ms } = await timed(() => fillJobs(pg, percent / 100));
  process.stdout.write(`Filled in ${(ms / 1_000).toFixed(0)} s.\n`);
  await pg.$disconnect();
  return { percent, database };
}

await runProgram(program, async () => {
  const { percent, rounds, keep, onlyFill } = program.opts<Options>();
  cleanUpAtExit();
  const folder = prepareFolder('bench-search', keep);
  const server = await startPostgres({ dir: folder.dir, settings: SETTINGS });
  try {
    const filled = folder.filled ?? (await fill(server.url, percent));
    if (filled.percent !== percent) throw new Error(`${folder.dir} is filled with ${filled.percent} % of the jobs.`);
    folder.keep(filled);
    if (onlyFill) return 0;
    const db = connectPrisma({ url: urlOf(server.url, filled.database), poolSize: 1 });
    const measured = await measureSearches(db, rounds);
    await db.$disconnect();
    return printSearches(measured, LIMIT_MS) ? 0 : 1;
  } finally {
    server.stop();
    await folder.end();
  }
});
