import { writeFileSync } from 'node:fs';

/** A jest reporter that leaves the totals in a file, for whoever prints the last line of the run. */
export default class WriteTotalsReporter {
  #file;

  constructor(_globalConfig, { file }) {
    this.#file = file;
  }

  onRunComplete(_contexts, results) {
    // A file that could not even be loaded has no tests to count.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    writeFileSync(this.#file, JSON.stringify({ passed: results.numPassedTests, failed, skipped }));
  }
}
