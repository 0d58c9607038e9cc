/** `npm run write -- options`: writes docs/look-up/options.md from the comments of the options; `npm run check -- options` compares. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { renderOptions } from './render-options.js';

const FILE = join(root, 'docs/look-up/options.md');

const program = createProgram(
  'write options',
  'Writes docs/look-up/options.md, all options of defineJob, enqueue and runWorker with their defaults.',
).option('--check', 'write nothing, and fail when it differs');

await runProgram(program, async () => {
  const expected = await format(renderOptions(), { ...(await resolveConfig(FILE)), filepath: FILE });
  if (program.opts<{ check?: true }>().check === undefined) {
    writeFileSync(FILE, expected);
    process.stdout.write('docs/look-up/options.md written.\n');
    return 0;
  }
  if (readFileSync(FILE, 'utf8') === expected) {
    process.stdout.write('docs/look-up/options.md is what the types say.\n');
    return 0;
  }
  process.stderr.write('docs/look-up/options.md is not what the types say. Run: npm run write -- options\n');
  return 1;
});
