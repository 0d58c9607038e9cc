/** What a person reads at once, and what all of it may be: words with a letter or a digit, of pages written by hand. */
export const BUDGET = { site: 56_000, page: 1_300, cell: 120 } as const;

/** Pages that are written from code: `npm run write -- reference` and `access`. */
const WRITTEN = /^docs\/(?:README|look-up\/(?:commands|options|functions|access))\.md$/;
/** What is written from code or figures within a page. */
const PARTS = /<!-- problems:[\s\S]*?<!-- end of problems -->|<!-- figures:[\s\S]*?<!-- \/figures -->/g;
/** Records, to look something up in: none is read from its beginning to its end, and each change adds to them. */
const RECORDS = /^docs\/internals\//;

export interface Page {
  readonly path: string;
  readonly text: string;
}

/**
 * What is longer than `BUDGET` allows: a page, a cell of a table as it is shown, without the addresses of its links, and
 * all pages for users together.
 */
export function findOverBudget(pages: readonly Page[]): string[] {
  const byHand = pages
    .filter(({ path }) => !WRITTEN.test(path))
    .map(({ path, text }) => ({ path, text: text.replace(PARTS, '') }));
  const words = byHand
    .filter(({ path }) => !RECORDS.test(path))
    .map(({ path, text }) => ({ path, count: countWords(text) }));
  const over = (what: string, count: number, limit: number): string[] =>
    count > limit ? [`${what}: ${count} words, of ${limit}`] : [];
  return [
    ...over(
      'the pages for users',
      words.reduce((sum, { count }) => sum + count, 0),
      BUDGET.site,
    ),
    ...words.flatMap(({ path, count }) => over(path, count, BUDGET.page)),
    ...byHand.flatMap(({ path, text }) => longCells(text).map((cell) => `${path}: a cell of ${cell.length}: ${cell}`)),
  ];
}

const countWords = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

function longCells(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => line.split(/(?<!\\)\|/))
    .map((cell) => cell.replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1').trim())
    .filter((cell) => cell.length > BUDGET.cell && !/^:?-+:?$/.test(cell));
}
