import { spawn } from 'node:child_process';

/** Runs node in a folder and keeps what it says; it ends with this process. */
export async function runIn(dir, args, env = {}) {
  let output = '';
  const child = spawn(process.execPath, args, {
    cwd: dir,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => child.kill('SIGTERM');
  // before what it works on is removed
  process.prependOnceListener('exit', kill);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  process.removeListener('exit', kill);
  return { code, output };
}
