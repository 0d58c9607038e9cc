import { appendFileSync } from 'node:fs';
import type { IAsyncProperty, IProperty, Parameters } from 'fast-check';

/** The settings of `npm run break -- fuzz`; without them, a few inputs of a fixed seed, the same in every run of the tests. */
interface FuzzRequest {
  readonly seed: number;
  /** How long each property is tested. */
  readonly ms: number;
  /** The file that gets a line with the number of inputs for each property. */
  readonly totals: string;
  /** Repeats one counterexample, by the path in its report. */
  readonly path?: string;
}

/** The name of the variable that has these settings, as JSON. */
export const fuzzVariable = 'DUEWORK_FUZZ';
const SEED = 20_260_131;

/**
 * Tests a property with `runs` inputs of the fixed seed, or for as long as `npm run break -- fuzz` says. Throws fast-check's
 * report: the seed, the smallest counterexample that it found, and its path.
 */
export async function fuzz<T>(property: IAsyncProperty<T> | IProperty<T>, runs: number): Promise<void> {
  const fc = await import('fast-check');
  const given = process.env[fuzzVariable];
  if (given === undefined) return fc.assert(property, { seed: SEED, numRuns: runs });
  const { seed, ms, totals, path } = JSON.parse(given) as FuzzRequest;
  const parameters: Parameters<T> = {
    seed,
    numRuns: 1_000_000_000,
    interruptAfterTimeLimit: ms,
    ...(path === undefined ? {} : { path }),
  };
  const details = await fc.check(property, parameters);
  appendFileSync(totals, `${details.numRuns}\n`);
  const message = await fc.asyncDefaultReportMessage(details);
  if (details.failed && message !== undefined) throw new Error(message, { cause: details.errorInstance });
}
