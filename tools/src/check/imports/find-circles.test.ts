import { expect, test } from '@jest/globals';
import { findFolderCircles } from './find-circles.js';

test('a circle of folders is found, by what is imported beside types, however their files lie', () => {
  const sources = new Map([
    ['core/src/claim/poll.ts', "import { start } from '../run/start.js';\nimport { now } from '../clock.js';"],
    ['core/src/run/start.ts', "import { write } from '../settle/deep/write.js';"],
    ['core/src/settle/deep/write.ts', "import type { Held } from '../../claim/held.js';"],
    ['core/src/claim/held.ts', ''],
    ['core/src/clock.ts', "import { start } from './run/start.js';"],
    ['core/src/settle/write.test.ts', "import { start } from '../run/start.js';"],
  ]);
  expect(findFolderCircles(sources, 'core/src')).toEqual([]);
  sources.set('core/src/settle/let-go.ts', "import { held } from '../claim/held.js';");
  expect(findFolderCircles(sources, 'core/src')).toEqual([['claim', 'run', 'settle', 'claim']]);
});
