/**
 * `npm run write -- first-start`: what `npm start` installs and builds on a bare machine, counted; `npm run check -- first-start`
 * compares it with docs/first-start.json.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { showProgress } from '../../../bootstrap/show-progress.mjs';
import { cleanUpAtExit, onEnd } from '../../kit/clean-up.js';
import { createProgram } from '../../kit/create-program.js';
import { runCommand } from '../../kit/run-command.js';
import { runProgram } from '../../kit/run-program.js';

const NAME = 'docs/first-start.json';

const program = createProgram(
  'write first-start',
  `Counts what a start installs and builds in a clone of what is committed: packages and files, no seconds.
Writes them to ${NAME}, or with --check compares. Exit code 1: one has grown.`,
).option('--check', 'writes nothing, and fails when a count has grown');

/** What a start has put into a clone. The same on every machine of one kind. */
interface StartCounts {
  /** Packages that pnpm has installed. */
  readonly packages: number;
  /** Files of JavaScript that were built, the console aside. */
  readonly files: number;
}

function readCounts(clone: string): StartCounts {
  const installed = readdirSync(join(clone, 'node_modules/.pnpm'), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'node_modules',
  );
  const { files } = JSON.parse(readFileSync(join(clone, 'node_modules/.duework-built.json'), 'utf8')) as StartCounts;
  return { packages: installed.length, files };
}

async function count(): Promise<StartCounts> {
  const dir = mkdtempSync(join(tmpdir(), 'duework-first-start-'));
  const remove = onEnd(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  try {
    const clone = join(dir, 'clone');
    await runCommand('git', ['clone', '--quiet', '--no-local', '--depth', '1', `file://${root}`, clone], { cwd: dir });
    // installs and builds as a start does, and starts nothing
    const start = [join(clone, 'tools/bootstrap/run.mjs'), 'start', '--help'];
    await showProgress('Installing and building a clone', () =>
      runCommand(process.execPath, start, { cwd: clone, env: { DUEWORK_STATE_DIR: join(clone, '.duework') } }),
    );
    return readCounts(clone);
  } finally {
    remove();
  }
}

await runProgram(program, async () => {
  cleanUpAtExit();
  const file = join(root, NAME);
  const now = await count();
  const told = `A start installs ${now.packages} packages and builds ${now.files} files`;
  if (program.opts<{ check?: true }>().check !== true) {
    writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
    process.stdout.write(`${told}: ${NAME} written.\n`);
    return 0;
  }
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StartCounts) : { packages: 0, files: 0 };
  process.stdout.write(`${told}; ${NAME} says ${before.packages} and ${before.files}.\n`);
  if (now.packages <= before.packages && now.files <= before.files) return 0;
  process.stderr.write('If it is worth that: npm run write -- first-start\n');
  return 1;
});
