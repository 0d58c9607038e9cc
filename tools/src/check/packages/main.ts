/** `npm run check -- packages`: what users would install, installed into empty folders and used from there. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePnpm } from '../../../bootstrap/ensure-pnpm.mjs';
import { cleanUpAtExit, onEnd } from '../../kit/clean-up.js';
import { createProgram, namesAmong } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { checks } from './checks/list-checks.js';
import { packPackages } from '../../kit/pack-packages.js';
import { NODES } from './pinned-versions.js';
import { runChecks } from './run-checks.js';

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
