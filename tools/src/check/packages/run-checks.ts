import Table from 'cli-table3';
import { showProgress } from '../../../bootstrap/show-progress.mjs';
import type { Check, Lab } from './lab.js';

/**
 * Runs checks one after the other, and prints a table of what each found. A check that fails keeps none of the others
 * from running.
 *
 * @returns the exit code
 */
export async function runChecks(checks: readonly Check[], lab: Lab): Promise<number> {
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
