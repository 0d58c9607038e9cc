import { expect, test } from '@jest/globals';
import { findCircles, findFolderCircles } from './find-circles.js';

test('a circle of imports is found, by types and through the files of pages, too', () => {
  const sources = new Map([
    ['ui/chart.tsx', "import { draw } from './draw.js';\nimport { texts } from '../texts.js';"],
    ['ui/draw.ts', "import type { Line } from './chart.js';"],
    ['texts.ts', "// import './ui/chart.js'\nimport { z } from 'zod';"],
  ]);
  expect(findCircles(sources)).toEqual([['ui/chart.tsx', 'ui/draw.ts', 'ui/chart.tsx']]);
});

test('two ways to the same file are no circle', () => {
  const sources = new Map([
    ['a.ts', "import './b.js';\nimport './c.js';"],
    ['b.ts', "import './c.js';"],
    ['c.ts', ''],
  ]);
  expect(findCircles(sources)).toEqual([]);
});

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
