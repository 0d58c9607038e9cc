/** `npm run check -- cron`: proves the recipe for cron on a real cron daemon. */
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { proveCron } from './prove-cron.js';

const program = createProgram(
  'check cron',
  `Proves the recipe for cron on a real cron daemon. Two entries wake a worker in the same minute, for two minutes and
more; each slot of a schedule has to fire once, and its job to succeed.

Needs root and Debian's cron (apt-get install cron), and is therefore no test of the suite: run it by hand, or where
cron can be installed. It brings its own PostgreSQL, its own crontab file and, where none runs, its own daemon, and
removes all of them.`,
);

await runProgram(program, () => withFreshDatabase(proveCron));
