import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onEnd } from '../../kit/clean-up.js';
import { toolPath } from '../../kit/tool-path.js';
import { withLimit } from '../../kit/with-limit.js';

const STOP_MS = 20_000;
const WARNING = 40;
/** What a slow machine does. */
const OF_THE_MACHINE = ['schedule.skipped', 'loop.blocked'];

export interface CheckWorker {
  /** Resolves when it claims; rejects with its last words when it does not start. */
  readonly started: Promise<void>;
  /** Resolves as `wanted` does; rejects when the worker ends first, or logs a warning. */
  orFails<T>(wanted: Promise<T>): Promise<T>;
  /** Rejects unless it ends with 0, and has written no warning and nothing to stderr. */
  stop(): Promise<void>;
  kill(): void;
}

/** Starts the worker of the check as a process of its own. */
export function startCheckWorker(url: string, client: string): CheckWorker {
  const child = spawn(process.execPath, [toolPath('check/environments/worker.js'), url, client], {
    env: { PATH: process.env['PATH'], DATABASE_WAIT_MS: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = onEnd(() => child.kill('SIGKILL'));
  const wrong: string[] = [];
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => {});
  let start = (): void => {};
  const starts = new Promise<void>((resolve) => (start = resolve));
  createInterface(child.stdout).on('line', (line) => {
    const { level, msg, time: _, app: _app, ...facts } = JSON.parse(line) as Record<string, unknown>;
    if (msg === 'worker.started') start();
    if (Number(level) < WARNING || OF_THE_MACHINE.includes(String(msg))) return;
    wrong.push(`${String(msg)} ${JSON.stringify(facts)}`);
    fail(new Error(`The worker logged ${wrong[0]}`));
  });
  createInterface(child.stderr).on('line', (line) => wrong.push(line));
  const ended = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => {
      fail(new Error(`The worker ended (${code ?? signal}): ${wrong.join(' ')}`));
      resolve(code ?? signal ?? 'gone');
    }),
  );
  return {
    started: Promise.race([starts, failed]),
    orFails: (wanted) => Promise.race([wanted, failed]),
    async stop() {
      child.kill('SIGTERM');
      const how = await withLimit(ended, STOP_MS, 'The worker had not stopped');
      if (how !== 0 || wrong.length > 0) throw new Error(`The worker stopped with ${how}: ${wrong.join(' ')}`);
    },
    kill,
  };
}
