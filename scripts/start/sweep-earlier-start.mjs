import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../lib/plain-error.mjs';
import { stateDir } from '../lib/paths.mjs';

/** Which processes this start made, for a next one that finds them without their parent. */
const runFile = join(stateDir, 'running.json');

const commandOf = (pid) =>
  spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
const isStill = ({ pid, main }) => commandOf(pid).includes(main);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function readRunFile() {
  try {
    return JSON.parse(readFileSync(runFile, 'utf8'));
  } catch {
    return undefined;
  }
}

export const rememberServices = (running) =>
  writeFileSync(
    runFile,
    JSON.stringify({ pid: process.pid, services: running.map(({ name, pid, main }) => ({ name, pid, main })) }),
  );

export const forgetServices = () => rmSync(runFile, { force: true });

/**
 * Stops the programs of an earlier start that was killed.
 *
 * @throws {PlainError} when the earlier start is not over
 */
export async function sweepEarlierStart(say) {
  const earlier = readRunFile();
  if (earlier === undefined) return;
  if (isStill({ pid: earlier.pid, main: 'start.mjs' })) {
    throw new PlainError(
      `Duework is running here already (process ${earlier.pid}). Stop it with Ctrl-C, or: kill ${earlier.pid}`,
    );
  }
  for (const service of [...earlier.services].reverse().filter(isStill)) {
    say(`An earlier start was killed; stopping its ${service.name} (process ${service.pid}) …`);
    process.kill(service.pid, 'SIGTERM');
    for (let tries = 0; tries < 150 && isStill(service); tries += 1) await pause(100);
    if (isStill(service)) process.kill(service.pid, 'SIGKILL');
  }
  forgetServices();
}
