import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import type { NamedTest } from './guard.js';
import type { JestReport } from './jest-report.js';
import { runIn } from './run-in.js';
import { patternOf } from './test-names.js';

/**
 * Runs the named tests of a copy on that server, once.
 *
 * @returns jest's own report
 * @throws PlainError when there is none, with what jest said
 */
export async function runTests(dir: string, tests: readonly NamedTest[], databaseUrl: string): Promise<JestReport> {
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
    return JSON.parse(readFileSync(file, 'utf8')) as JestReport;
  } catch {
    throw new PlainError(`jest has not run at all:\n${output}`);
  }
}
