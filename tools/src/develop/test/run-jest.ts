import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, stateDir } from '../../../bootstrap/paths.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface JestResult extends Totals {
  /** The exit code. */
  readonly code: number;
}

function readTotals(file: string): Totals {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Totals;
  } catch {
    // Jest ended before it had run any test.
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/**
 * Runs jest once over the whole workspace, or over what the arguments name. Its global setup starts and stops the
 * database, also when it is interrupted.
 *
 * @param args jest's own: a path, a pattern, -t 'name of a test'
 */
export async function runJest(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<JestResult> {
  mkdirSync(stateDir, { recursive: true });
  const file = join(stateDir, `test-totals-${process.pid}.json`);
  rmSync(file, { force: true });
  const code = await spawnJest(args, { DUEWORK_TEST_TOTALS: file, ...env });
  const totals = readTotals(file);
  rmSync(file, { force: true });
  return { code, ...totals };
}

function spawnJest(args: readonly string[], env: Readonly<Record<string, string>>) {
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  return new Promise<number>((resolve, reject) => {
    const child = spawn(process.execPath, [jest, ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    // Ctrl-C goes to jest directly; this process has to live on until the server is stopped.
    const forward = (signal: NodeJS.Signals): void => {
      if (signal !== 'SIGINT') child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, forward);
    child.on('error', reject);
    child.on('close', (code) => {
      for (const signal of SIGNALS) process.removeListener(signal, forward);
      resolve(code ?? 130);
    });
  });
}

/** `12 passed, 0 failed`, and `, 3 skipped` only when some were. */
export const formatTotals = ({ passed, failed, skipped }: Totals): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
