/** `npm run measure -- first-start`: how long `npm start` takes on a bare machine, and the times after. */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { cleanUpAtExit, onEnd } from '../../kit/clean-up.js';
import { createProgram } from '../../kit/create-program.js';
import { cloneCommitted } from '../../kit/first-start/clone-committed.js';
import { readCounts } from '../../kit/first-start/read-counts.js';
import { runProgram } from '../../kit/run-program.js';
import { type StartTimes, timeStart } from './time-start.js';

const program = createProgram(
  'measure first-start',
  `Runs npm start in a clone of what is committed, in a temporary folder: with empty caches of npm and pnpm, as on a bare
machine; again, when nothing has changed; and in another clone, with the caches of the first. Stops each start as soon as it
says that everything runs. Takes ports of its own.`,
);

await runProgram(program, async () => {
  cleanUpAtExit();
  const dir = mkdtempSync(join(tmpdir(), 'duework-first-start-'));
  const remove = onEnd(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  const table = new Table({
    head: ['seconds', 'pnpm', 'install', 'build', 'start', 'all'],
    style: { head: [], border: [] },
  });
  const add = (words: string, { pnpm, install, build, start, all }: StartTimes): number =>
    table.push([words, ...[pnpm, install, build, start, all].map((seconds) => seconds.toFixed(1))]);
  try {
    const { clone, env } = await cloneCommitted(dir);
    add('cold caches', await timeStart(clone, env));
    const counts = readCounts(clone);
    add('again, nothing changed', await timeStart(clone, env));
    rmSync(clone, { recursive: true, force: true, maxRetries: 5 });
    await cloneCommitted(dir);
    add('another clone, warm caches', await timeStart(clone, env));
    process.stdout.write(
      `${table.toString()}\n${counts.packages} packages installed, ${counts.files} files built; ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}.\n`,
    );
  } finally {
    remove();
  }
});
