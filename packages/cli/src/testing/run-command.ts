import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './root.js';

/** As users get it, in one piece: a process of it takes a quarter of what one of the workspace's files takes. */
export const commandPath = join(root, 'packages/duework/dist/publish/dist/command.js');

export interface CommandOptions {
  readonly cwd: string;
  /** Beside PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface StartedCommand {
  readonly pid: number;
  /** What it has written until now, stdout and stderr. */
  output(): string;
  /** Resolves when the output has the text `count` times; rejects, with the output, when it ends without. */
  waitFor(text: string, count?: number): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** Starts the command in a process of its own, in a folder, with nobody at its keyboard. */
export function startCommand(args: readonly string[], { cwd, env = {} }: CommandOptions): StartedCommand {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [commandPath, ...args], {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const look of watchers) look();
    });
  const ended = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'gone')),
  );
  return {
    pid: child.pid!,
    output: () => output,
    ended,
    kill: (signal) => void child.kill(signal),
    waitFor: (text, count = 1) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (output.split(text).length > count) resolve();
        };
        watchers.add(look);
        look();
        void ended.then((how) => reject(new Error(`It ended (${how}) without ${JSON.stringify(text)}:\n${output}`)));
      }),
  };
}

/** Runs the command until it ends: its exit code and all that it wrote. */
export async function runCommand(
  args: readonly string[],
  options: CommandOptions,
): Promise<{ readonly code: number | string; readonly output: string }> {
  const command = startCommand(args, options);
  const code = await command.ended;
  return { code, output: command.output() };
}
