/** `npm run measure -- tables`: how large job_runs becomes, how long retention takes, and how long others wait for it. */
import { connectPg, connectPrisma } from '@duework/database';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { measureGrowth } from './measure-growth.js';
import { measureRetention } from './measure-retention.js';

const program = createProgram(
  'measure tables',
  `Measures how large job_runs and its indexes are while 200,000 runs go through, with autovacuum as it comes; and how long
retention takes with a million finished runs, a million keys and a million slots to remove, and whom it holds up. On a
PostgreSQL of its own, with the settings of the tests; take ratios from it, not absolute values.`,
);

await runProgram(program, () =>
  withFreshDatabase(async (url) => {
    const db = connectPrisma({ url, poolSize: 4 });
    const engineDb = connectPg({ url, poolSize: 4 });
    await measureRetention(db, engineDb);
    await measureGrowth(db, engineDb, url);
    await Promise.all([db.$disconnect(), engineDb.$disconnect()]);
  }),
);
