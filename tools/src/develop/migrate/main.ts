/** `npm run migrate`: brings the database of DATABASE_URL up to date. Options go to it: `-- --dry-run`. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';

const program = createProgram('migrate', 'Brings the database of DATABASE_URL up to date.').option(
  '--dry-run',
  'say what is missing, and change nothing',
);

await runProgram(program, () => {
  // a deployed folder migrates with the same command
  const duework = join(root, 'packages/cli/dist/main.js');
  const args = program.opts<{ dryRun?: boolean }>().dryRun === true ? ['--dry-run'] : [];
  return spawnSync(process.execPath, [duework, 'migrate', ...args], { stdio: 'inherit' }).status === 0 ? 0 : 1;
});
