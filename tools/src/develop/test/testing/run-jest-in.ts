import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../../bootstrap/paths.mjs';

/** Where the parts of jest are that this repository has of its own. */
export const PARTS = join(root, 'tools/dist/src/develop/test');

export interface JestRun {
  /** All that it has printed. */
  readonly said: string;
  /** Its exit code; null: a signal ended it. */
  readonly code: number | null;
}

/** Runs jest on the tests (`*.test.mjs`) of a folder, in the environment that every test of this repository has. */
export async function runJestIn(
  rootDir: string,
  options: Readonly<Record<string, unknown>>,
  ...args: readonly string[]
): Promise<JestRun> {
  const config = {
    rootDir,
    testMatch: ['**/*.test.mjs'],
    transform: {},
    testEnvironment: join(PARTS, 'strict-environment.js'),
    ...options,
  };
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const child = spawn(process.execPath, [jest, ...args, '--config', JSON.stringify(config)], {
    cwd: rootDir,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { said, code };
}
