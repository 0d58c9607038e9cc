/** `npm run check -- features`: runs the shortest proof of each feature. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stateDir } from '../../../bootstrap/paths.mjs';
import { runJest } from '../../develop/test/run-jest.js';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { findUnshown, type JestReport } from './find-unshown.js';
import { FEATURES } from './list-features.js';

const program = createProgram(
  'check features',
  `Runs one test for each of ${FEATURES.length} features that users of other job queues have, and lists them. Takes some minutes.
Exit code 1: a feature is not shown, or one of the tests failed.`,
);

await runProgram(program, async () => {
  const report = join(stateDir, `features-${process.pid}.json`);
  const files = new Set(FEATURES.map(([, file]) => file));
  const names = FEATURES.map(([, , words]) => words.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const { code } = await runJest([
    '--silent',
    '--json',
    '--outputFile',
    report,
    '-t',
    names.join('|'),
    '--runTestsByPath',
    ...files,
  ]);
  const unshown = new Set(findUnshown(FEATURES, JSON.parse(readFileSync(report, 'utf8')) as JestReport));
  rmSync(report);
  for (const feature of FEATURES)
    process.stdout.write(`${unshown.has(feature) ? 'MISSING' : 'shown  '} ${feature[0]}\n`);
  process.stdout.write(`${FEATURES.length - unshown.size} of ${FEATURES.length} features are shown.\n`);
  return unshown.size === 0 ? code : 1;
});
