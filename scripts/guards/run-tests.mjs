import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../lib/plain-error.mjs';
import { root } from '../lib/paths.mjs';
import { patternOf } from './test-names.mjs';
import { runIn } from './run-in.mjs';

/**
 * Runs the named tests of a copy on that server, once.
 *
 * @returns {Promise<object>} jest's own report
 */
export async function runTests(dir, tests, databaseUrl) {
  const file = join(dir, 'guards-report.json');
  rmSync(file, { force: true });
  const files = [...new Set(tests.map((test) => test.file))];
  const names = tests.map((test) => patternOf(test).source).join('|');
  // paths, not patterns: a folder's name may have a meaning as one
  const args = [
    join(root, 'node_modules/jest/bin/jest.js'),
    '--json',
    `--outputFile=${file}`,
    '--testNamePattern',
    names,
    '--runTestsByPath',
    ...files,
  ];
  const { output } = await runIn(dir, args, { DUEWORK_TEST_DATABASE_URL: databaseUrl, NO_COLOR: '1' });
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new PlainError(`jest has not run at all:\n${output}`);
  }
}
