/** `npm run check -- contracts`: the shop's contracts beside those that were released, as a team's CI checks its own. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';

const LOCK = ['--lock', 'packages/shop/contracts.lock.json'];

const program = createProgram(
  'check contracts',
  `Runs \`duework contracts check\` and \`duework contracts lock --check\` for the shop. Exit code 1: a contract has changed
under its version, or the lock file misses one.`,
);

await runProgram(program, () => {
  const duework = join(root, 'packages/cli/dist/main.js');
  const run = (args: readonly string[]): number | null =>
    spawnSync(process.execPath, [duework, 'contracts', ...args, ...LOCK], { cwd: root, stdio: 'inherit' }).status;
  return run(['check']) === 0 && run(['lock', '--check']) === 0 ? 0 : 1;
});
