/** `npm run write -- errors`: writes the problems of the API into docs/look-up/errors.md; `npm run check -- errors` compares. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { renderProblems } from './render-problems.js';

const FILE = join(root, 'docs/look-up/errors.md');

const program = createProgram(
  'write errors',
  'Writes every code that the API refuses with, what it means and what to do, into docs/look-up/errors.md.',
).option('--check', 'write nothing, and fail when it differs');

await runProgram(program, async () => {
  const page = readFileSync(FILE, 'utf8');
  const expected = await format(renderProblems(page), { ...(await resolveConfig(FILE)), filepath: FILE });
  if (program.opts<{ check?: true }>().check === undefined) {
    writeFileSync(FILE, expected);
    process.stdout.write('docs/look-up/errors.md written.\n');
    return 0;
  }
  if (page === expected) {
    process.stdout.write('docs/look-up/errors.md is what the API says.\n');
    return 0;
  }
  process.stderr.write('docs/look-up/errors.md is not what the API says. Run: npm run write -- errors\n');
  return 1;
});
