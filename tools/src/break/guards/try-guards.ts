import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { showProgress } from '../../../bootstrap/show-progress.mjs';
import { onEnd } from '../../kit/clean-up.js';
import type { Guard, NamedTest } from './guard.js';
import { findNotGreen, type JestReport, type Judgement, judgeRed, patternOf } from './judge.js';
import { removeGuard } from './remove-guard.js';
import { restoreBuilt } from './with-copy.js';

interface Ran {
  /** The exit code, or the signal that ended it. */
  readonly code: number | NodeJS.Signals | null;
  readonly output: string;
}

/** Runs node in a folder and keeps what it says; it ends with this process. */
async function runIn(dir: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  let output = '';
  const child = spawn(process.execPath, args, {
    cwd: dir,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // before what it works on is removed
  const end = onEnd(() => child.kill('SIGTERM'));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<Ran['code']>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  end();
  return { code, output };
}

/** Worker threads, child processes and the other packages run what is built; migrations are built into packages/database. */
const ownerOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('prisma/') ? 1 : 2)
    .join('/');
const ownersOf = ({ edits }: Guard): string[] => [...new Set(edits.map(({ file }) => ownerOf(file)))];

/**
 * Builds the packages that a guard was taken out of.
 *
 * @throws PlainError with what the compiler says
 */
async function buildChanged(dir: string, guard: Guard): Promise<void> {
  for (const owner of ownersOf(guard)) {
    if (owner === 'prisma') await runIn(dir, [join(dir, 'packages/database/scripts/inline-migrations.mjs')]);
    const { code, output } = await compile(dir, owner === 'prisma' ? 'packages/database' : owner);
    if (code !== 0) throw new PlainError(`without it ${owner} cannot be built:\n${output}`);
  }
}

/** Puts back what the whole tree's build made of them. */
function restoreBuild(dir: string, guard: Guard): void {
  for (const owner of ownersOf(guard)) restoreBuilt(dir, owner === 'prisma' ? 'packages/database' : owner);
}

const compile = (dir: string, owner: string): Promise<Ran> =>
  runIn(dir, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(dir, owner, 'tsconfig.json')]);

/**
 * Runs the named tests of a copy on that server, once.
 *
 * @returns jest's own report
 * @throws PlainError when there is none, with what jest said
 */
async function runTests(dir: string, tests: readonly NamedTest[], databaseUrl: string): Promise<JestReport> {
  const file = join(dir, 'guards-report.json');
  rmSync(file, { force: true });
  const files = [...new Set(tests.map((test) => test.file))];
  const names = tests.map((test) => patternOf(test).source).join('|');
  // paths, not patterns: a folder's name may have a meaning as one
  const args = [
    join(root, 'node_modules/jest/bin/jest.js'),
    '--json',
    `--outputFile=${file}`,
    '--testNamePattern',
    names,
    '--runTestsByPath',
    ...files,
  ];
  const { output } = await runIn(dir, args, { DUEWORK_TEST_DATABASE_URL: databaseUrl, NO_COLOR: '1' });
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JestReport;
  } catch {
    throw new PlainError(`jest has not run at all:\n${output}`);
  }
}

export interface Tried extends Judgement {
  readonly guard: Guard;
  readonly tookMs: number;
}

/**
 * Takes out one guard after the other, in the copy `dir`, and says of each whether its tests go red.
 *
 * @throws PlainError when a guard is not where it is said to be, or a test is red while every guard is there
 */
export async function tryGuards(guards: readonly Guard[], dir: string, databaseUrl: string): Promise<Tried[]> {
  // all of them before the first one is tried
  for (const guard of guards) removeGuard(dir, guard)();
  const tests = guards.flatMap((guard) => guard.tests);
  const green = await showProgress(`${tests.length} tests as they are`, () => runTests(dir, tests, databaseUrl));
  const wrong = findNotGreen(green, tests);
  if (wrong !== null) throw new PlainError(`With every guard in its place a test is not green: ${wrong}`);

  const results: Tried[] = [];
  for (const [index, guard] of guards.entries()) {
    const begun = Date.now();
    const result = await showProgress(`${index + 1}/${guards.length} without ${guard.name}`, () =>
      tryOne(guard, dir, databaseUrl),
    );
    results.push({ guard, ...result, tookMs: Date.now() - begun });
  }
  return results;
}

async function tryOne(guard: Guard, dir: string, databaseUrl: string): Promise<Judgement> {
  const restore = removeGuard(dir, guard);
  try {
    await buildChanged(dir, guard);
    return judgeRed(await runTests(dir, guard.tests, databaseUrl), guard);
  } catch (error) {
    // what cannot be built or run says nothing of its test, and is no reason to leave out the other guards
    if (error instanceof PlainError) return { isNoticed: false, how: error.message };
    throw error;
  } finally {
    restore();
    restoreBuild(dir, guard);
  }
}
