import type sequencer from '@jest/test-sequencer';
import { createRequire } from 'node:module';

// its types are those of its CommonJS
const { default: TestSequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as typeof sequencer;

/** What takes longest, and has few lines. */
const LONGEST = /\/tools\/src\/console\/show\.test\.ts$/;

type Tests = Parameters<InstanceType<typeof TestSequencer>['sort']>[0];

/**
 * The order of the test files. Where jest has not run them before, as in a fresh clone, it begins with the largest ones; the
 * one that takes as long as a hundred others is small, and would run alone when all others have ended.
 */
export default class LongestFirst extends TestSequencer {
  override sort(tests: Tests): Tests {
    const sorted = [...(super.sort(tests) as Tests)];
    return sorted.sort((a, b) => Number(LONGEST.test(b.path)) - Number(LONGEST.test(a.path)));
  }
}
