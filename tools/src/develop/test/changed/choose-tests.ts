import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAffectedTests } from './find-affected-tests.js';
import { findChangedFiles } from './find-changed-files.js';
import { readMentions } from './read-mentions.js';

/** What a test file takes that is not among the slow ones. */
const USUAL_SECONDS = 2.5;
/** For two files at a time, and less than two minutes: the database has to start, too. */
const BUDGET_SECONDS = 200;

/** What no import leads from, and each test depends on: the tables, the versions of what is installed, the test run itself. */
const EVERYWHERE =
  /^(prisma\/|prisma\.config|jest\.config|pnpm-|tsconfig\.base|package\.json|tools\/src\/develop\/test\/[^/]+$)/;
/** The API serves what the console is built to, and the tests look at it through a browser. */
const CONSOLE = /^apps\/console\/(?!.*\.test\.ts$)/;
const BROWSER = 'tools/src/console/open-browser.ts';
/** One test of each kind: the tables, a store, a job's way through a worker, the API, the command, the doctor. */
export const SMOKE = [
  'packages/database/src/migrate/migrate-database.test.ts',
  'packages/database/src/schema/partitions.test.ts',
  'packages/queue-core/src/enqueue/enqueue.test.ts',
  'packages/queue-core/src/sql/claim/claim-runs.test.ts',
  'packages/queue-core/src/store/postgres-store.test.ts',
  'packages/schedules/src/tick/tick-schedules.test.ts',
  'packages/operate/src/doctor/doctor.test.ts',
  'packages/operate/src/bulk/bulk-actions.test.ts',
  'packages/http/src/routes/jobs/jobs.test.ts',
  'packages/worker/src/run-worker.test.ts',
];

export interface ChosenTests {
  readonly changed: number;
  /** A change that every test depends on. */
  readonly everywhere: string | undefined;
  /** Every test file that can be affected, the nearest first. */
  readonly affected: readonly string[];
  /** Those of them that two minutes are enough for. */
  readonly chosen: readonly string[];
}

/** Which tests a change can affect: those of the branch's own changes, the nearest first, and as many as fit into two minutes. */
export function chooseTests(root: string): ChosenTests {
  const changed = findChangedFiles(root);
  const mentions = readMentions(root);
  const everywhere = changed.find((path) => EVERYWHERE.test(path));
  const built = changed.some((path) => CONSOLE.test(path)) ? [BROWSER] : [];
  const near = findAffectedTests([...changed, ...built], mentions).map(({ path }) => path);
  const all = [...mentions.keys()].filter((path) => path.endsWith('.test.ts'));
  const first = everywhere === undefined ? near : [...new Set([...SMOKE, ...near])];
  const affected = everywhere === undefined ? near : [...new Set([...first, ...all])];
  return { changed: changed.length, everywhere, affected, chosen: fit(first, readSlowTests(root)) };
}

/** The seconds of each test file that takes longer than eight, on a machine with two cores to itself. */
export const readSlowTests = (root: string): Readonly<Record<string, number>> =>
  JSON.parse(readFileSync(join(root, 'tools/src/develop/test/changed/slow-tests.json'), 'utf8')) as Record<
    string,
    number
  >;

/** As many as there is time for, in their order; what is too long for the rest is passed over. The first is always there. */
export function fit(paths: readonly string[], slow: Readonly<Record<string, number>>): string[] {
  let left = BUDGET_SECONDS;
  return paths.filter((path, at) => {
    const seconds = slow[path] ?? USUAL_SECONDS;
    if (seconds > left && at > 0) return false;
    left -= seconds;
    return true;
  });
}
