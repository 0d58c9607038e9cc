/** `npm run write -- api-types`: writes the types that the console calls the API by, out of the API's document. */
import { readFileSync, writeFileSync } from 'node:fs';
import { below } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { apiTypesFile, writeApiTypes } from './write-api-types.js';

const program = createProgram(
  'write api-types',
  `Writes ${below(apiTypesFile)} out of the API's document. Exit code 1: with --check, the file is not what it would write.`,
).option('--check', 'compares instead of writing');

await runProgram(program, async () => {
  const text = await writeApiTypes();
  if (program.opts<{ check?: true }>().check !== true) {
    writeFileSync(apiTypesFile, text);
    process.stdout.write(`${below(apiTypesFile)} is written.\n`);
    return 0;
  }
  if (readFileSync(apiTypesFile, 'utf8') === text) return 0;
  process.stderr.write(`${below(apiTypesFile)} is not what the API's document says: npm run write -- api-types\n`);
  return 1;
});
