import { writeFileSync } from 'node:fs';
import type { Totals } from './run-jest.js';

/** What jest counts, as far as the totals need it. */
interface JestCounts {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

/** A jest reporter that leaves the totals in a file, for whoever prints the last line of the run. */
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
