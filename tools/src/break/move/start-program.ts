import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { onEnd } from '../../kit/clean-up.js';

export interface StartedProgram {
  /** What it has written until now. */
  readonly said: () => string;
  readonly ended: Promise<number | string>;
  /** Resolves when it has written a text, or has ended. */
  until(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts a program with nothing of this environment but `env`; it ends with this process at the latest. */
export function startProgram(args: readonly string[], env: Readonly<Record<string, string>>): StartedProgram {
  const { PATH = '', HOME = '' } = process.env;
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const child = spawn(process.execPath, [...args], {
    // from where the command finds what else is installed
    cwd: join(root, 'tools'),
    env: { PATH, HOME, ...env },
    stdio: [...stdio],
  });
  const endNow = onEnd(() => child.kill('SIGKILL'));
  let said = '';
  let look = (): void => {};
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-5_000);
      look();
    });
  const ended = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => {
      endNow();
      resolve(code ?? signal ?? 'gone');
    }),
  );
  return {
    said: () => said,
    ended,
    until: (text) =>
      Promise.race([
        ended.then(() => {}),
        new Promise<void>((resolve) => {
          look = () => void (said.includes(text) && resolve());
          look();
        }),
      ]),
    kill: (signal) => void child.kill(signal),
  };
}

/** Keeps a program running, until it is told to stop. */
export function keepRunning(start: () => StartedProgram): { stop(): Promise<void> } {
  let isStopped = false;
  let current = start();
  const watch = async (): Promise<void> => {
    for (;;) {
      await current.ended;
      if (isStopped) return;
      current = start();
    }
  };
  const over = watch();
  return {
    async stop() {
      isStopped = true;
      current.kill('SIGTERM');
      await over;
    },
  };
}
