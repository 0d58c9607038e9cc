/** `npm run check -- packages`: what users would install, installed into empty folders and used from there. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { ensurePnpm } from '../../../bootstrap/ensure-pnpm.mjs';
import { showProgress } from '../../../bootstrap/show-progress.mjs';
import { cleanUpAtExit, onEnd } from '../../kit/clean-up.js';
import { createProgram, namesAmong } from '../../kit/create-program.js';
import { packPackages } from '../../kit/pack-packages.js';
import { runProgram } from '../../kit/run-program.js';
import { checks } from './checks/list-checks.js';
import type { Check, Lab } from './lab.js';
import { NODES } from './pinned-versions.js';

/**
 * Runs checks one after the other, and prints a table of what each found. A check that fails keeps none of the others
 * from running.
 *
 * @returns the exit code
 */
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
  process.stdout.write(`${checks.length - failed} of ${checks.length} checks passed.\n`);
  return failed === 0 ? 0 : 1;
}

const SUMMARY = `Packs what is published, installs them into empty folders, and uses them from there as users
would. Exit code 1: one check failed; the others ran all the same.

The checks:

${checks.map(({ name, words }) => `${name}: ${words}`).join('\n\n')}`;

const program = createProgram('check packages', SUMMARY)
  .option('--only <names>', 'these checks', namesAmong(checks.map(({ name }) => name)))
  .option('--quick', 'the checks and versions that every change runs')
  .option('--keep', 'leaves the folders, and says where they are');

interface Options {
  readonly only?: string[];
  readonly quick?: true;
  readonly keep?: true;
}

await runProgram(program, async () => {
  cleanUpAtExit();
  const { only, quick, keep } = program.opts<Options>();
  const isQuick = quick === true;
  const pnpmDir = await ensurePnpm();
  const dir = mkdtempSync(join(tmpdir(), 'duework-packages-'));
  const remove = onEnd(() => {
    if (keep === undefined) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    else process.stdout.write(`The folders are in ${dir}.\n`);
  });
  try {
    const packed = await packPackages(dir, pnpmDir);
    const chosen = checks.filter((check) => only?.includes(check.name) ?? (!isQuick || check.isQuick));
    return await runChecks(chosen, { dir, packed, pnpmDir, isQuick, nodes: isQuick ? [] : NODES });
  } finally {
    remove();
  }
});
