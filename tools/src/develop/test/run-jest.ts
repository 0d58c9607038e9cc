import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, stateDir } from '../../../bootstrap/paths.mjs';
import { watchPhrase } from './watch-phrase.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The line that jest prints, without failing, when one of its workers did not end within 500 ms and it killed it. */
const FORCE_EXITED = 'A worker process has failed to exit gracefully and has been force exited';

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface JestResult extends Totals {
  /** The exit code. */
  readonly code: number;
  /** Whether jest had to kill one of its workers, which jest does not count as a failure. */
  readonly isForced: boolean;
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
  const { code, isForced } = await spawnJest(args, { DUEWORK_TEST_TOTALS: file, ...env });
  const totals = readTotals(file);
  rmSync(file, { force: true });
  return { code, isForced, ...totals };
}

function spawnJest(args: readonly string[], env: Readonly<Record<string, string>>) {
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const isColored = process.stderr.isTTY && !process.env['NO_COLOR'];
  return new Promise<{ code: number; isForced: boolean }>((resolve, reject) => {
    const child = spawn(process.execPath, [jest, ...args], {
      cwd: root,
      // its output is piped to be searched, and a pipe would make it leave out the colors
      stdio: ['inherit', 'inherit', 'pipe'],
      env: { ...process.env, ...(isColored ? { FORCE_COLOR: '1' } : {}), ...env },
    });
    const forced = watchPhrase(FORCE_EXITED);
    child.stderr.on('data', (chunk: Buffer) => {
      process.stderr.write(chunk);
      forced.take(chunk.toString('latin1'));
    });
    // Ctrl-C goes to jest directly; this process has to live on until the server is stopped.
    const forward = (signal: NodeJS.Signals): void => {
      if (signal !== 'SIGINT') child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, forward);
    child.on('error', reject);
    child.on('close', (code) => {
      for (const signal of SIGNALS) process.removeListener(signal, forward);
      resolve({ code: code ?? 130, isForced: forced.isSeen });
    });
  });
}

/** `12 passed, 0 failed`, and `, 3 skipped` only when some were. */
export const formatTotals = ({ passed, failed, skipped }: Totals): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
