import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string };

export interface WorkerProcess {
  /** The lines it has logged so far. */
  readonly lines: readonly LogLine[];
  /** What it has written to stdout beside log lines. */
  readonly texts: readonly string[];
  /** The text it has written to stderr so far. */
  readonly errors: readonly string[];
  /**
   * Resolves with the first line that fits, logged before or after this call; rejects when the process ends without
   * one.
   */
  line(msg: string, facts?: Readonly<Record<string, unknown>>): Promise<LogLine>;
  /** From now on nobody reads what it writes to stdout. */
  mute(): void;
  signal(signal: NodeJS.Signals): void;
  /** Resolves with its exit code, or the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** The http:// address of its health and metrics. */
  address(): Promise<string>;
}

const running = new Set<() => void>();

/** Kills every worker process that this file has started and that still runs. */
export function killWorkers(): void {
  for (const kill of running) kill();
}

export interface ProcessOptions {
  readonly env: Readonly<Record<string, string>>;
  /** They come before the program. */
  readonly nodeArgs?: readonly string[];
  /** They come after it. */
  readonly args?: readonly string[];
  readonly cwd?: string;
}

/** Starts a program that runs a worker as a process of its own. */
export function startWorkerProcess(
  main: string,
  { env, nodeArgs = [], args = [], cwd }: ProcessOptions,
): WorkerProcess {
  const child = spawn(process.execPath, [...nodeArgs, main, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], WORKER_PORT: '0', POLL_INTERVAL_MS: '50', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  running.add(kill);
  const lines: LogLine[] = [];
  const errors: string[] = [];
  const texts: string[] = [];
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watch of [...watchers]) watch();
  };
  let hasEnded = false;
  createInterface(child.stdout).on('line', (text) => {
    if (text.startsWith('{')) lines.push(JSON.parse(text) as LogLine);
    else texts.push(text);
    tell();
  });
  createInterface(child.stderr).on('line', (text) => errors.push(text));
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    // its output has been read to the end by then
    child.once('close', (code, signal) => {
      running.delete(kill);
      hasEnded = true;
      tell();
      resolve(code ?? signal!);
    });
  });

  function line(msg: string, facts: Readonly<Record<string, unknown>> = {}): Promise<LogLine> {
    return new Promise((resolve, reject) => {
      const watch = (): void => {
        const found = lines.find(
          (candidate) =>
            candidate.msg === msg && Object.entries(facts).every(([key, value]) => candidate[key] === value),
        );
        if (found === undefined && !hasEnded) return;
        watchers.delete(watch);
        if (found !== undefined) resolve(found);
        else
          reject(
            new Error(
              `The worker ended without ${msg} ${JSON.stringify(facts)}.\n${errors.join('\n')}\n${lines.map((entry) => JSON.stringify(entry)).join('\n')}`,
            ),
          );
      };
      watchers.add(watch);
      watch();
    });
  }

  return {
    lines,
    errors,
    texts,
    line,
    mute: () => void child.stdout.destroy(),
    signal: (signal) => void child.kill(signal),
    ended,
    address: async () => `http://127.0.0.1:${(await line('http.listening'))['port']}`,
  };
}
