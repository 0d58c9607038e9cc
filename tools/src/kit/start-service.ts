import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../../bootstrap/paths.mjs';
import { onEnd } from './clean-up.js';

export interface ServiceProgram {
  readonly name: string;
  /** The program's path below the folder it is started in. */
  readonly main: string;
  readonly nodeOptions?: readonly string[];
}

export interface Service {
  readonly name: string;
  readonly main: string;
  readonly pid: number | undefined;
  /** Resolves with how it ended, in words: `exit code 0`, `SIGKILL`. */
  readonly exited: Promise<{ readonly how: string }>;
  /** Signals its whole process group; does nothing once it has ended. */
  stop(signal: NodeJS.Signals): void;
}

export interface StartServiceOptions {
  /** Added to this process's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Called with each line that it prints. */
  readonly onLine: (line: string) => void;
  /** The root of the repository unless given. */
  readonly cwd?: string;
  /** Called with each message that it sends over its channel; without this it has none. */
  readonly onMessage?: (message: unknown) => void;
}

/**
 * Starts one program of the product in a process group of its own, so that Ctrl-C in the terminal signals this process
 * only and the programs are stopped in order. Where `cleanUpAtExit` was called, it ends with this process at the
 * latest.
 */
export function startService(
  program: ServiceProgram,
  { env, onLine, cwd = root, onMessage }: StartServiceOptions,
): Service {
  const { name, main, nodeOptions = [] } = program;
  const child = spawn(process.execPath, ['--enable-source-maps', ...nodeOptions, join(cwd, main)], {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', ...(onMessage === undefined ? [] : (['ipc'] as const))],
  });
  if (onMessage !== undefined) child.on('message', onMessage);
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on('line', onLine);
  let hasExited = false;
  const exited = new Promise<{ how: string }>((resolve) => {
    child.on('error', (error) => resolve({ how: error.message }));
    // 'close' and not 'exit': its last lines come in between.
    child.on('close', (code, signal) => {
      hasExited = true;
      forget();
      resolve({ how: signal === null ? `exit code ${code}` : signal });
    });
  });
  const stop = (signal: NodeJS.Signals): void => {
    if (hasExited || child.pid === undefined) return;
    try {
      // The group: a handler may have started programs too.
      process.kill(-child.pid, signal);
    } catch {
      // The process ended between the two lines.
    }
  };
  const forget = onEnd(() => stop('SIGKILL'));
  return { name, main, pid: child.pid, exited, stop };
}
