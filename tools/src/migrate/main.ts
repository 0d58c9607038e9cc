/** `npm run migrate`: brings the database of DATABASE_URL up to date. Options go to it: `-- --retry-failed`. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../bootstrap/paths.mjs';
import { createProgram } from '../kit/create-program.js';
import { runProgram } from '../kit/run-program.js';

const program = createProgram('migrate', 'Brings the database of DATABASE_URL up to date.').option(
  '--retry-failed',
  'try a migration again that has failed before',
);

await runProgram(program, () => {
  // a deployed folder migrates with the same program
  const migrate = join(root, 'packages/database/dist/migrate-main.js');
  const args = program.opts<{ retryFailed?: boolean }>().retryFailed === true ? ['--retry-failed'] : [];
  return spawnSync(process.execPath, [migrate, ...args], { stdio: 'inherit' }).status === 0 ? 0 : 1;
});
