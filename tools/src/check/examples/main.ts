/** `npm run check -- examples`: the projects below examples/, used as their READMEs say, with the packed packages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { ensurePnpm } from '../../../bootstrap/ensure-pnpm.mjs';
import { showProgress } from '../../../bootstrap/show-progress.mjs';
import { cleanUpAtExit, onEnd } from '../../kit/clean-up.js';
import { createProgram, namesAmong } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { packPackages } from '../../kit/pack-packages.js';
import { examples } from './examples.js';
import { proveExample } from './prove-example.js';

const SUMMARY = `Packs duework, copies each example into an empty folder, and does there what its README says: installs,
builds, migrates a fresh database, starts the app and the worker, and places an order over HTTP. Its job must be done; an
order that fails must leave neither a row nor a job. Exit code 1: one failed; the others ran all the same.

The examples:

${examples.map(({ name, words }) => `${name}: ${words}`).join('\n\n')}`;

const program = createProgram('check examples', SUMMARY)
  .option('--only <names>', 'these examples', namesAmong(examples.map(({ name }) => name)))
  .option('--quick', 'the examples that every change runs')
  .option('--keep', 'leaves the folders, and says where they are');

interface Options {
  readonly only?: string[];
  readonly quick?: true;
  readonly keep?: true;
}

await runProgram(program, async () => {
  cleanUpAtExit();
  const { only, quick, keep } = program.opts<Options>();
  const dir = mkdtempSync(join(tmpdir(), 'duework-examples-'));
  const remove = onEnd(() => {
    if (keep === undefined) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    else process.stdout.write(`The folders are in ${dir}.\n`);
  });
  try {
    const packed = await packPackages(dir, await ensurePnpm());
    const chosen = examples.filter(({ name, isQuick }) => only?.includes(name) ?? (quick === undefined || isQuick));
    const table = new Table({ head: ['example', 'seconds', 'found'], style: { head: [], border: [] } });
    let failed = 0;
    for (const example of chosen) {
      const begun = performance.now();
      const found = await showProgress(example.name, () => proveExample(example, dir, packed)).catch(
        (error: unknown) => {
          failed++;
          process.stderr.write(`\n${example.name}: ${(error as Error).message}\n\n`);
          return 'FAILED, see above';
        },
      );
      table.push([example.name, ((performance.now() - begun) / 1_000).toFixed(1), found]);
    }
    process.stdout.write(`${table.toString()}\n${chosen.length - failed} of ${chosen.length} examples work.\n`);
    return failed === 0 ? 0 : 1;
  } finally {
    remove();
  }
});
