/** `npm run check -- imports`: who may import whom, and what belongs in which file. The rules are in rules.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { checkSource } from './check-source.js';
import { findFolderCircles } from './find-circles.js';
import { listSources } from './list-sources.js';
import { rules } from './rules.js';

const program = createProgram(
  'check imports',
  'Holds every source file against the rules of the house: who may import whom, what belongs in which file, and no circle of the folders of queue-core; those of files are the linter’s.',
).addHelpText(
  'after',
  `\nRules:\n${Object.entries(rules)
    .map(([name, { words }]) => `  ${name}: ${words}`)
    .join('\n')}`,
);

await runProgram(program, () => {
  const sources = new Map(listSources(root).map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const violations = [...sources].flatMap(([path, code]) => checkSource(path, code));
  const circles = findFolderCircles(sources, 'packages/queue-core/src');
  for (const { path, line, found, words } of violations) process.stdout.write(`${path}:${line}  ${found}: ${words}\n`);
  for (const circle of circles) process.stdout.write(`A circle of folders: ${circle.join(' → ')}\n`);
  const count = violations.length + circles.length;
  process.stdout.write(count === 0 ? `${sources.size} files keep to the rules.\n` : `${count} against the rules.\n`);
  return count === 0 ? 0 : 1;
});
