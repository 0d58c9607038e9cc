import { createRequire } from 'node:module';
import { sep } from 'node:path';
import type jestSequencer from '@jest/test-sequencer';
import { root } from '../../../bootstrap/paths.mjs';
import { readSlowTests } from './changed/choose-tests.js';

// its types are those of CommonJS, and as a module it exports something else
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as typeof jestSequencer;
type Tests = Parameters<InstanceType<typeof Sequencer>['sort']>[0];

const TOOLS = ['tools', 'src', ''].join(sep);
/** What the tests of a tool take that are not among the slow ones: they start whole products. */
const TOOL_SECONDS = 8;

/**
 * The order of the files. Jest starts with those that took longest, and with the largest where it has never run any, as in a
 * new clone. The smallest there are the slowest of all: files that start whole products and browsers, and name the tests.
 * So those that are known to be slow come first, and do not run alone at the end.
 */
export default class SlowFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const slow = Object.entries(readSlowTests(root)).map(
      ([path, seconds]) => [path.replaceAll('/', sep), seconds] as const,
    );
    const secondsOf = ({ path, duration }: Tests[number]): number =>
      duration !== undefined
        ? 0
        : (slow.find(([name]) => path.endsWith(sep + name))?.[1] ?? (path.includes(TOOLS) ? TOOL_SECONDS : 0));
    const sorted = await super.sort(tests);
    return sorted
      .map((test) => ({ test, seconds: secondsOf(test) }))
      .sort((one, other) => other.seconds - one.seconds)
      .map(({ test }) => test);
  }
}
