/** `npm run check -- environments`: the same small scenario on databases and behind poolers as others have them. */
import { cleanUpAtExit, onEnd } from '../../kit/clean-up.js';
import { createProgram } from '../../kit/create-program.js';
import { makeDataDir, removeDir } from '../../kit/data-dirs.js';
import { runProgram } from '../../kit/run-program.js';
import { installPgBouncer } from '../../kit/servers/install-from-debian.js';
import type { Environment } from './environment.js';
import { openLab } from './lab.js';
import { pooled } from './list/pooled.js';
import { reached } from './list/reached.js';
import { settled } from './list/settled.js';
import { runEnvironments } from './run-environments.js';

/** All of them, in the order in which they are run. */
const environments: readonly Environment[] = [...reached, ...pooled, ...settled];

const SUMMARY = `Migrates, enqueues, runs and looks at jobs of each kind in environments as others have them, through pg
and through Prisma. A line for each says ok, or what failed; exit code 1: one has failed.

${environments.map(({ name }) => name).join('\n\n')}`;

const program = createProgram('check environments', SUMMARY)
  .option('--only <text>', 'those whose names have this text')
  .option('--quick', 'those that every change runs, through one client each');

await runProgram(
  program,
  async () => {
    cleanUpAtExit();
    const { only, quick } = program.opts<{ readonly only?: string; readonly quick?: true }>();
    installPgBouncer();
    const dir = makeDataDir('env');
    onEnd(() => removeDir(dir));
    const isQuick = quick === true;
    const chosen = environments.filter(
      (environment) => (!isQuick || environment.isQuick === true) && environment.name.includes(only ?? ''),
    );
    return runEnvironments(chosen, await openLab(dir), isQuick);
  },
  { isExitForced: true },
);
