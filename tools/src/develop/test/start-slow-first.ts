import { createRequire } from 'node:module';
import { sep } from 'node:path';
import type jestSequencer from '@jest/test-sequencer';

// its types are those of CommonJS, and as a module it exports something else
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as typeof jestSequencer;
type Tests = Parameters<InstanceType<typeof Sequencer>['sort']>[0];

const SLOW = ['tools', 'src', ''].join(sep);

/**
 * The order of the files. Jest starts with those that took longest, and with the largest where it has never run any, as in a
 * new clone. The smallest there is the slowest of all: the tests of the tools start whole products and browsers. So they
 * come first, and do not run alone at the end.
 */
export default class SlowFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const sorted = await super.sort(tests);
    const isSlow = ({ path, duration }: Tests[number]) => duration === undefined && path.includes(SLOW);
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
  }
}
