import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stateDir } from '../lib/paths.mjs';
import { runJest } from '../testing/run-jest.mjs';

/** Where the properties are. */
const folders = '(/src/hostile/|apps/(api|worker)/src/env.test|is-nested-over.test)';
/** How long a round tries each property; two files run side by side. */
const propertyMs = 12_000;

const count = (number) => number.toLocaleString('en');

/** Numbers of inputs, one a line, as the properties have left them. */
function readTotals(file) {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').map(Number);
  } catch {
    return [];
  }
}

/**
 * Rounds, each with the next seed, until the time is over, a property breaks, or somebody presses Ctrl-C.
 *
 * @param {{ minutes: number, seed: number, only?: string, path?: string }} options
 * @returns {Promise<number>} the exit code
 */
export async function runRounds({ minutes, seed, only, path }) {
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (isInterrupted = true));
  mkdirSync(stateDir, { recursive: true });
  const totals = join(stateDir, `fuzz-totals-${process.pid}`);
  // one counterexample is one round
  const endMs = path === undefined ? performance.now() + minutes * 60_000 : 0;
  const sum = { rounds: 0, inputs: 0 };
  do {
    const roundSeed = seed + sum.rounds;
    rmSync(totals, { force: true });
    const ms = Math.max(1_000, Math.min(propertyMs, endMs - performance.now()));
    const request = { seed: roundSeed, ms, totals, ...(path === undefined ? {} : { path }) };
    process.stdout.write(`Round ${sum.rounds + 1}, seed ${roundSeed}\n`);
    const args = [
      '--testPathPatterns',
      folders,
      '--testTimeout',
      String(ms + 120_000),
      ...(only === undefined ? [] : ['-t', only]),
    ];
    const { code } = await runJest(args, { DUEWORK_FUZZ: JSON.stringify(request) });
    const found = readTotals(totals);
    rmSync(totals, { force: true });
    sum.rounds++;
    sum.inputs += found.reduce((all, inputs) => all + inputs, 0);
    if (isInterrupted) break;
    if (code !== 0) {
      process.stdout.write(
        `A property broke with seed ${roundSeed}. To see it again: npm run fuzz -- --seed ${roundSeed} --only 'its name' --path 'its path', both as shown above.\n`,
      );
      return 1;
    }
    process.stdout.write(`${found.length} properties held for ${count(sum.inputs)} inputs so far\n`);
  } while (performance.now() < endMs);
  process.stdout.write(
    `${isInterrupted ? 'Stopped' : 'Done'}: ${sum.rounds} rounds from seed ${seed}, ${count(sum.inputs)} inputs\n`,
  );
  return isInterrupted ? 130 : 0;
}
