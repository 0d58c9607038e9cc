import { writeFileSync } from 'node:fs';
import type { Totals } from './run-jest.js';

/** The counts of jest that the totals need. */
interface JestCounts {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

/** A jest reporter that writes the totals to a file, for the program that prints the last line of the run. */
export default class WriteTotalsReporter {
  readonly #file: string;

  constructor(_globalConfig: unknown, { file }: { readonly file: string }) {
    this.#file = file;
  }

  onRunComplete(_contexts: unknown, results: JestCounts): void {
    // A file that could not even be loaded has no tests to count.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const totals: Totals = { passed: results.numPassedTests, failed, skipped };
    writeFileSync(this.#file, JSON.stringify(totals));
  }
}
