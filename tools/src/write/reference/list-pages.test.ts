import { expect, test } from '@jest/globals';
import { listPages, unlistedPages } from './list-pages.js';

const source = `export const chapters: readonly Chapter[] = [
  {
    text: 'Start',
    pages: [
      { text: 'What it is', file: 'start/what-it-is.md' },
      { text: 'Figures', file: 'look-up/figures.md' },
    ],
  },
];
`;

test('the menu is read as it is written, and a page that is in no chapter is named', () => {
  const chapters = listPages(source);
  expect(chapters).toEqual([
    {
      text: 'Start',
      pages: [
        { text: 'What it is', file: 'start/what-it-is.md' },
        { text: 'Figures', file: 'look-up/figures.md' },
      ],
    },
  ]);
  const files = [
    'README.md',
    'start/what-it-is.md',
    'start/forgotten.md',
    'internals/decisions/claims.md',
    'costs.json',
  ];
  expect(unlistedPages(chapters, files)).toEqual(['start/forgotten.md']);
});
