import { expect, test } from '@jest/globals';
import { findCircles } from './find-circles.js';

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
