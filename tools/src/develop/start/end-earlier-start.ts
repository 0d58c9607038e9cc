import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stateDir } from '../../../bootstrap/paths.mjs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import type { Service } from '../../kit/start-service.js';

/** The file that names the processes of this start, for a next start that finds them without their parent. */
const runFile = join(stateDir, 'running.json');

/** A part of a start’s command line, which is checked because its process id may belong to another program by now. */
const STARTER = 'run.mjs start';
const LOOK_MS = 100;
const LOOKS = 150;

interface Remembered {
  readonly name: string;
  readonly pid: number;
  readonly main: string;
}

interface EarlierStart {
  readonly pid: number;
  readonly services: readonly Remembered[];
}

const commandOf = (pid: number): string =>
  spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
const isStill = ({ pid, main }: Pick<Remembered, 'pid' | 'main'>): boolean => commandOf(pid).includes(main);

function readRunFile(): EarlierStart | undefined {
  try {
    return JSON.parse(readFileSync(runFile, 'utf8')) as EarlierStart;
  } catch {
    return undefined;
  }
}

/** Writes down the processes of this start. */
export const rememberServices = (running: readonly Pick<Service, 'name' | 'pid' | 'main'>[]): void =>
  writeFileSync(
    runFile,
    JSON.stringify({ pid: process.pid, services: running.map(({ name, pid, main }) => ({ name, pid, main })) }),
  );

/** Removes the file, because all processes of this start have ended. */
export const forgetServices = (): void => rmSync(runFile, { force: true });

/**
 * Stops the programs of an earlier start that was killed.
 *
 * @throws PlainError when the earlier start still runs
 */
export async function endEarlierStart(say: (line: string) => void): Promise<void> {
  const earlier = readRunFile();
  if (earlier === undefined) return;
  if (isStill({ pid: earlier.pid, main: STARTER })) {
    throw new PlainError(
      `Duework is running here already (process ${earlier.pid}). Stop it with Ctrl-C, or: kill ${earlier.pid}`,
    );
  }
  for (const service of [...earlier.services].reverse().filter(isStill)) {
    say(`An earlier start was killed; stopping its ${service.name} (process ${service.pid}) …`);
    process.kill(service.pid, 'SIGTERM');
    for (let looks = 0; looks < LOOKS && isStill(service); looks += 1) await pause(LOOK_MS);
    if (isStill(service)) process.kill(service.pid, 'SIGKILL');
  }
  forgetServices();
}
