import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stateDir } from '../../../bootstrap/paths.mjs';
import { runJest } from '../../develop/test/run-jest.js';

/** The tests that have the properties. */
const FOLDERS = '(/src/hostile/|apps/(api|worker)/src/env.test|is-nested-over.test)';
/** How long a round tests each property; two files run side by side. */
const PROPERTY_MS = 12_000;

const count = (number: number): string => number.toLocaleString('en');

/** The numbers of inputs, one a line, as the properties have written them. */
function readTotals(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').map(Number);
  } catch {
    return [];
  }
}

export interface RunRoundsOptions {
  readonly minutes: number;
  /** The seed of the first round. */
  readonly seed: number;
  /** The name of a single property. */
  readonly only: string | undefined;
  /** The path of one counterexample, which takes one round. */
  readonly path: string | undefined;
}

/**
 * Runs rounds, each with the next seed, until the time is over, a property breaks, or somebody presses Ctrl-C.
 *
 * @returns the exit code
 */
export async function runRounds({ minutes, seed, only, path }: RunRoundsOptions): Promise<number> {
  const interruption = { hasCome: false };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (interruption.hasCome = true));
  mkdirSync(stateDir, { recursive: true });
  const totals = join(stateDir, `fuzz-totals-${process.pid}`);
  // one counterexample is one round
  const endMs = path === undefined ? performance.now() + minutes * 60_000 : 0;
  const sum = { rounds: 0, inputs: 0 };
  do {
    const roundSeed = seed + sum.rounds;
    rmSync(totals, { force: true });
    const ms = Math.max(1_000, Math.min(PROPERTY_MS, endMs - performance.now()));
    const request = { seed: roundSeed, ms, totals, ...(path === undefined ? {} : { path }) };
    process.stdout.write(`Round ${sum.rounds + 1}, seed ${roundSeed}\n`);
    const args = [
      '--testPathPatterns',
      FOLDERS,
      '--testTimeout',
      String(ms + 120_000),
      ...(only === undefined ? [] : ['-t', only]),
    ];
    const { code } = await runJest(args, { DUEWORK_FUZZ: JSON.stringify(request) });
    const found = readTotals(totals);
    rmSync(totals, { force: true });
    sum.rounds++;
    sum.inputs += found.reduce((all, inputs) => all + inputs, 0);
    if (interruption.hasCome) break;
    if (code !== 0) {
      process.stdout.write(
        `A property broke with seed ${roundSeed}. To see it again: npm run break -- fuzz --seed ${roundSeed} --only 'its name' --path 'its path', both as shown above.\n`,
      );
      return 1;
    }
    process.stdout.write(`${found.length} properties held for ${count(sum.inputs)} inputs so far\n`);
  } while (performance.now() < endMs);
  process.stdout.write(
    `${interruption.hasCome ? 'Stopped' : 'Done'}: ${sum.rounds} rounds from seed ${seed}, ${count(sum.inputs)} inputs\n`,
  );
  return interruption.hasCome ? 130 : 0;
}
