import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../../bootstrap/paths.mjs';
import { BUDGET, findOverBudget } from './find-over-budget.js';
import { findUnnamed } from './find-unnamed.js';

const words = (count: number): string => 'word | - '.repeat(count);
const cell = (length: number): string => `| ${'x'.repeat(length)} | [${'y'.repeat(100)}](${'z'.repeat(100)}.md) |`;

test.each([
  ['a page at the limit, whose bars and dashes are no words', 'docs/a.md', words(BUDGET.page), 0],
  ['a page over it', 'docs/a.md', words(BUDGET.page + 1), 1],
  ['a page that is written from code', 'docs/look-up/commands.md', words(BUDGET.page + 1), 0],
  ['a record of the internals', 'docs/internals/a.md', words(BUDGET.page + 1), 0],
  ['what is written into a page', 'docs/a.md', `<!-- figures: a -->${words(2_000)}<!-- /figures -->`, 0],
  ['a cell at the limit, beside one whose address makes it longer', 'docs/a.md', cell(BUDGET.cell), 0],
  ['a cell over it', 'docs/a.md', cell(BUDGET.cell + 1), 1],
])('%s', (_, path, text, count) => {
  expect(findOverBudget([{ path, text }])).toHaveLength(count);
});

test('all pages together have a limit, too', () => {
  const pages = Array.from({ length: 57 }, (_, n) => ({ path: `docs/${n}.md`, text: words(1_000) }));
  expect(findOverBudget(pages)).toEqual(['the pages for users: 57000 words, of 56000']);
});

test('a name that its page has lost is found, and so are names that are no longer where they were', () => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  expect(findUnnamed(read)).toEqual([]);
  expect(findUnnamed((path) => read(path).replaceAll('`breaker_open`', ''))).toEqual([
    'docs/how-to/alerts.md does not name breaker_open',
  ]);
  expect(findUnnamed((path) => (path.endsWith('settings.ts') ? '' : read(path)))).toEqual([
    expect.stringMatching(/^docs\/look-up\/variables\.md: /),
  ]);
});
