import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../lib/paths.mjs';

/**
 * Starts one program in a process group of its own, so that Ctrl-C in the terminal reaches this process only and the
 * programs are stopped in order.
 *
 * @param {{ name: string, main: string, nodeOptions?: string[] }} service - `main` is a path below `cwd`
 * @returns {{ name: string, pid: number, exited: Promise<{ how: string }>, stop: (signal: string) => void, output: object }}
 */
export function startService(service, env, output, cwd = root) {
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', ...(service.nodeOptions ?? []), join(cwd, service.main)],
    {
      cwd,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', output.take);
  let hasExited = false;
  const exited = new Promise((resolve) => {
    child.on('error', (error) => resolve({ how: error.message }));
    // 'close' and not 'exit': its last lines come in between.
    child.on('close', (code, signal) => {
      hasExited = true;
      resolve({ how: signal === null ? `exit code ${code}` : signal });
    });
  });
  const stop = (signal) => {
    if (hasExited || child.pid === undefined) return;
    try {
      // The group: a handler may have started programs too.
      process.kill(-child.pid, signal);
    } catch {
      // It ended between the two lines.
    }
  };
  return { ...service, pid: child.pid, exited, stop, output };
}
