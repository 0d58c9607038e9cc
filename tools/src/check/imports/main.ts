/** `npm run check -- imports`: who may import whom, and what belongs in which file. The rules are in rules.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { checkSource } from './check-source.js';
import { listSources } from './list-sources.js';
import { rules } from './rules.js';

const program = createProgram(
  'check imports',
  'Holds every source file against the rules of the house: who may import whom, and what belongs in which file.',
).addHelpText(
  'after',
  `\nRules:\n${Object.entries(rules)
    .map(([name, { words }]) => `  ${name}: ${words}`)
    .join('\n')}`,
);

await runProgram(program, () => {
  const sources = listSources(root);
  const violations = sources.flatMap((path) => checkSource(path, readFileSync(join(root, path), 'utf8')));
  for (const { path, line, found, words } of violations) process.stdout.write(`${path}:${line}  ${found}: ${words}\n`);
  process.stdout.write(
    violations.length === 0
      ? `${sources.length} files keep to the rules.\n`
      : `${violations.length} against the rules.\n`,
  );
  return violations.length === 0 ? 0 : 1;
});
