import { spawn } from 'node:child_process';
import { PlainError } from '../plain-error.js';

/**
 * Runs a package manager in a folder. Its output is shown as it comes, or returned: whoever waits need not read it unless
 * it fails. npm and its like are scripts on Windows, which only a shell starts.
 *
 * @throws PlainError `install_failed`: there is no such program
 */
export function runInstall(
  [program, ...args]: readonly string[],
  cwd: string,
  isShown: boolean,
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, {
      cwd,
      // a question that is not shown would never be answered
      stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new PlainError('install_failed', `There is no program ${program} to install with.`)
          : error,
      ),
    );
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
