/** `npm run write -- commands`: writes docs/look-up/commands.md from the help of the program. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { renderCommands } from './render-commands.js';

const FILE = join(root, 'docs/look-up/commands.md');

const program = createProgram(
  'write commands',
  'Writes docs/look-up/commands.md from the help of the command duework.',
).option('--check', 'write nothing, and fail when it differs');

await runProgram(program, async () => {
  const expected = await renderCommands(FILE);
  if (program.opts<{ check?: true }>().check === undefined) {
    writeFileSync(FILE, expected);
    process.stdout.write('docs/look-up/commands.md written.\n');
    return 0;
  }
  if (readFileSync(FILE, 'utf8') === expected) {
    process.stdout.write('docs/look-up/commands.md is what the program says.\n');
    return 0;
  }
  process.stderr.write('docs/look-up/commands.md is not what the program says. Run: npm run write -- commands\n');
  return 1;
});
