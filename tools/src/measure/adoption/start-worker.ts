import { spawn } from 'node:child_process';
import { onEnd } from '../../kit/clean-up.js';
import { waitUntil } from '../../kit/wait-until.js';

export interface WatchedWorker {
  /** Resolves when it has printed this; rejects when it ends before that. */
  printed(what: RegExp): Promise<void>;
  /** How often it has printed this. */
  count(what: RegExp): number;
  stop(): Promise<void>;
}

/** Starts a worker as it is typed, in a process group of its own. */
export function startWorker(command: string, cwd: string, env: Readonly<Record<string, string>>): WatchedWorker {
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
  let hasEnded = false;
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve(void (hasEnded = true))));
  const killNow = onEnd(() => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // they have ended
    }
  });
  return {
    async printed(what) {
      await waitUntil(`${command} has not printed ${what}`, () => {
        if (hasEnded) throw new Error(`${output}\n${command} has ended.`);
        return output.search(what) !== -1;
      }).catch((error: unknown) => {
        throw new Error(`${output}\n${(error as Error).message}`);
      });
    },
    count: (what) => [...output.matchAll(what)].length,
    async stop() {
      killNow();
      await closed;
    },
  };
}
