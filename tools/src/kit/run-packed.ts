import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { ensurePnpm } from '../../bootstrap/ensure-pnpm.mjs';
import { showProgress } from '../../bootstrap/show-progress.mjs';
import { cleanUpAtExit, onEnd } from './clean-up.js';
import { createProgram, namesAmong } from './create-program.js';
import { packPackages } from './pack-packages.js';
import type { Packed } from './packed.js';
import { runProgram } from './run-program.js';

/** What a check works with. */
export interface Lab {
  /** A folder for everything that it makes. */
  readonly dir: string;
  readonly packed: readonly Packed[];
  /** The folder of pnpm. */
  readonly pnpmDir: string;
  readonly isQuick: boolean;
}

export interface Check {
  readonly name: string;
  /** What it proves, for `--help` and the table. */
  readonly words: string;
  /** Whether every change runs it. */
  readonly isQuick: boolean;
  /** Resolves with what it found, in a few words. Throws a PlainError that says what is wrong. */
  run(lab: Lab): Promise<string>;
}

/** The program of checks of what is packed: a list in its help, and `--only`, `--quick` and `--keep`. */
export async function runPackedChecks(name: string, summary: string, checks: readonly Check[]): Promise<void> {
  const words = checks.map((check) => `${check.name}: ${check.words}`).join('\n\n');
  const program = createProgram(name, `${summary} Exit code 1: one failed; the others ran all the same.\n\n${words}`)
    .option('--only <names>', 'these alone', namesAmong(checks.map((check) => check.name)))
    .option('--quick', 'those, and the versions, that every change runs')
    .option('--keep', 'leaves the folders, and says where they are');
  await runProgram(program, () => {
    const { only, quick = false, keep = false } = program.opts<{ only?: string[]; quick?: true; keep?: true }>();
    const chosen = checks.filter((check) => only?.includes(check.name) ?? (!quick || check.isQuick));
    return withPacked({ isQuick: quick, isKept: keep }, (lab) => runChecks(chosen, lab));
  });
}

/** Packs what is published into a folder, and gives it to `work`; the folder is removed unless it is kept. */
export async function withPacked<T>(
  { isQuick, isKept }: { readonly isQuick: boolean; readonly isKept: boolean },
  work: (lab: Lab) => Promise<T>,
): Promise<T> {
  cleanUpAtExit();
  const pnpmDir = await ensurePnpm();
  const dir = mkdtempSync(join(tmpdir(), 'duework-packages-'));
  const remove = onEnd(() => {
    if (isKept) process.stdout.write(`The folders are in ${dir}.\n`);
    else rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  try {
    return await work({ dir, packed: await packPackages(dir, pnpmDir), pnpmDir, isQuick });
  } finally {
    remove();
  }
}

/** Runs checks one after the other, and prints a table of what each found; returns the exit code. */
async function runChecks(checks: readonly Check[], lab: Lab): Promise<number> {
  const table = new Table({ head: ['check', 'seconds', 'found'], style: { head: [], border: [] }, wordWrap: true });
  let failed = 0;
  for (const check of checks) {
    const begun = performance.now();
    const found = await showProgress(check.name, () => check.run(lab)).catch((error: unknown) => {
      failed++;
      process.stderr.write(`\n${check.name}: ${(error as Error).message}\n\n`);
      return 'FAILED, see above';
    });
    table.push([check.name, ((performance.now() - begun) / 1_000).toFixed(1), found]);
  }
  process.stdout.write(`${table.toString()}\n`);
  process.stdout.write(`${checks.length - failed} of ${checks.length} passed.\n`);
  return failed === 0 ? 0 : 1;
}
