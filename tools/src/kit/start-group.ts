import { spawn } from 'node:child_process';
import { PlainError } from '../../bootstrap/plain-error.mjs';
import { onEnd } from './clean-up.js';
import { withLimit } from './with-limit.js';

const LINES_SHOWN = 30;
const STOP_MS = 20_000;

export interface StartedGroup {
  /** Rejects with the last lines of its output when it ends before `stop`. */
  readonly failed: Promise<never>;
  /** What it has printed lately. */
  said(): string;
  /** Sends SIGTERM, as a platform does, and resolves when all its processes have ended. */
  stop(): Promise<void>;
}

/** Starts a command as a user types it, by a shell, in a process group of its own. */
export function startGroup(command: string, cwd: string, env: Readonly<Record<string, string>>): StartedGroup {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('sh', ['-c', command], {
    cwd,
    env: { PATH, HOME, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const said = (): string => output.trimEnd().split('\n').slice(-LINES_SHOWN).join('\n');
  const signalGroup = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // they have ended
    }
  };
  const killNow = onEnd(() => signalGroup('SIGKILL'));
  let isTold = false;
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => {});
  child.on('error', fail);
  // 'close': every process that holds its output has ended
  const closed = new Promise<void>((resolve) => {
    child.on('close', (code, signal) => {
      if (!isTold) fail(new PlainError(`${said()}\n${command} ended (${code ?? signal}).`));
      resolve();
    });
  });
  return {
    failed,
    said,
    async stop() {
      isTold = true;
      signalGroup('SIGTERM');
      try {
        await withLimit(closed, STOP_MS, `${said()}\n${command} has not ended after SIGTERM`);
      } finally {
        killNow();
      }
    },
  };
}
