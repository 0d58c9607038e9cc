import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { onEnd } from '../../../kit/clean-up.js';

/** So many for each core; a shard that catches up has about as many backends and workers that want to run. */
const PROCESSES_PER_CORE = 3;
/** Works for 3 ms and waits for 2, as who serves many short statements does. */
const PROGRAM = `
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (const endMs = Date.now() + Number(process.argv[1]); Date.now() < endMs; Atomics.wait(cell, 0, 0, 2))
    for (const pauseMs = Date.now() + 3; Date.now() < pauseMs; );`;

/** Keeps all cores busy for so long with processes that touch no shard, and resolves when they have ended. */
export async function keepBusy(ms: number): Promise<void> {
  const count = PROCESSES_PER_CORE * availableParallelism();
  await Promise.all(
    Array.from({ length: count }, async () => {
      const child = spawn(process.execPath, ['--eval', PROGRAM, String(ms)], { stdio: 'ignore' });
      const forget = onEnd(() => child.kill('SIGKILL'));
      await once(child, 'exit');
      forget();
    }),
  );
}
