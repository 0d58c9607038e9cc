import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import type { RunAs } from './choose-run-as.js';

export interface ProgramResult {
  /** `null`: the program could not be started, or a signal ended it. */
  readonly code: number | null;
  /** Its whole output. */
  readonly output: string;
}

interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
}

function prepare(runAs: RunAs, program: string, args: readonly string[]): Command {
  const [command, ...rest] = [...runAs.prefix, program, ...args] as [string, ...string[]];
  const user = runAs.owner !== undefined && runAs.prefix.length === 0 ? runAs.owner : {};
  // Nothing of the caller's environment: PGPORT, PGOPTIONS or a locale must not shape the data.
  const env =
    process.platform === 'win32' ? {} : { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' } };
  return { command, args: rest, options: { ...user, ...env, cwd: '/' } };
}

const running = new Set<ChildProcess>();

/**
 * Runs one of PostgreSQL's programs to its end. It never throws: a program that cannot be started has code `null`.
 *
 * It gets a session of its own: a Ctrl-C that ended pg_ctl half-way would leave a server that no program knows of.
 */
export function runProgram(runAs: RunAs, program: string, args: readonly string[]): Promise<ProgramResult> {
  const { command, args: all, options } = prepare(runAs, program, args);
  return new Promise((resolve) => {
    const child = spawn(command, all, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    let output = '';
    const end = (result: ProgramResult): void => {
      running.delete(child);
      resolve(result);
    };
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', (error) => end({ code: null, output: error.message }));
    child.on('close', (code) => end({ code, output }));
  });
}

/** The same without waiting for events, for exit handlers. A program that still runs is killed first. */
export function runProgramNow(runAs: RunAs, program: string, args: readonly string[]): void {
  for (const child of running) child.kill('SIGKILL');
  const { command, args: all, options } = prepare(runAs, program, args);
  spawnSync(command, all, { ...options, stdio: 'ignore' });
}
