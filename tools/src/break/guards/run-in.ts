import { spawn } from 'node:child_process';
import { onEnd } from '../../kit/clean-up.js';

export interface Ran {
  /** The exit code, or the signal that ended it. */
  readonly code: number | NodeJS.Signals | null;
  readonly output: string;
}

/** Runs node in a folder and keeps what it says; it ends with this process. */
export async function runIn(
  dir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  let output = '';
  const child = spawn(process.execPath, args, {
    cwd: dir,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // before what it works on is removed
  const end = onEnd(() => child.kill('SIGTERM'));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<Ran['code']>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  end();
  return { code, output };
}
