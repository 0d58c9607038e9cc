import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, stateDir } from '../lib/paths.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const readTotals = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Jest ended before it had run anything.
    return { passed: 0, failed: 1, skipped: 0 };
  }
};

/**
 * Runs jest once over the whole workspace, or over what the arguments name. Its global setup starts and stops the
 * database, also when it is interrupted.
 *
 * @param {string[]} args - jest's own: a path, a pattern, -t 'name of a test'
 * @param {Record<string, string>} env
 * @returns {Promise<{ code: number, passed: number, failed: number, skipped: number }>}
 */
export async function runJest(args, env = {}) {
  mkdirSync(stateDir, { recursive: true });
  const file = join(stateDir, `test-totals-${process.pid}.json`);
  rmSync(file, { force: true });

  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const code = await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [jest, ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, DUEWORK_TEST_TOTALS: file, ...env },
    });
    // Ctrl-C reaches jest by itself; this process has to live on until the server is stopped.
    const forward = (signal) => {
      if (signal !== 'SIGINT') child.kill(signal);
    };
    for (const signal of signals) process.on(signal, forward);
    child.on('error', reject);
    child.on('close', (exitCode) => {
      for (const signal of signals) process.removeListener(signal, forward);
      resolve(exitCode ?? 130);
    });
  });
  const totals = readTotals(file);
  rmSync(file, { force: true });
  return { code, ...totals };
}

/** `12 passed, 0 failed`, and `, 3 skipped` only when some were. */
export const formatTotals = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
