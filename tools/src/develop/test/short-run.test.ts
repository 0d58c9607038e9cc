import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../../bootstrap/paths.mjs';
import { runCommand } from '../../kit/run-command.js';

/** What jest leaves out, by its settings. */
async function leftOut(tests: string): Promise<readonly string[]> {
  const program = `const { default: config } = await import(${JSON.stringify(join(root, 'jest.config.mjs'))});
    process.stdout.write(JSON.stringify(config.testPathIgnorePatterns));`;
  const said = await runCommand(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    env: { DUEWORK_TESTS: tests },
  });
  return JSON.parse(said) as string[];
}

test('a short run leaves out files that are there, and others leave out none', async () => {
  const isTest = (path: string): boolean => path.endsWith('.test.ts');
  const long = (await leftOut('short')).filter(isTest);
  expect(long).toHaveLength(5);
  expect(long.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect((await leftOut('')).filter(isTest)).toEqual([]);
});
