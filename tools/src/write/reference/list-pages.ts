export interface ListedChapter {
  readonly text: string;
  readonly pages: readonly { readonly text: string; readonly file: string }[];
}

/** The internals have a list of their own and are not on the site, whose first page is no page of a chapter. */
const APART = /^internals\/|^(?:README|index)\.md$/;

/** The chapters of the menu, out of the text of docs/.vitepress/pages.ts. */
export function listPages(source: string): ListedChapter[] {
  return [...source.matchAll(/^ {4}text: '([^']+)',\n {4}pages: \[\n([\s\S]*?)^ {4}\]/gm)].map(
    ([, text = '', pages = '']) => ({
      text,
      pages: [...pages.matchAll(/text: '([^']+)', file: '([^']+)'/g)].map(([, name = '', file = '']) => ({
        text: name,
        file,
      })),
    }),
  );
}

/** The pages among `files`, paths below docs/, that no chapter has. */
export function unlistedPages(chapters: readonly ListedChapter[], files: readonly string[]): string[] {
  const listed = new Set(chapters.flatMap(({ pages }) => pages.map(({ file }) => file)));
  return files.filter((file) => file.endsWith('.md') && !APART.test(file) && !listed.has(file)).toSorted();
}

const HEAD = `# Documentation

Begin at the top, or look for what you need. The menu of the site is the same, from \`docs/.vitepress/pages.ts\`. What
only those need who change Duework is in [internals](internals/README.md), off the site.
`;

/** docs/README.md: the same list. */
export function renderPages(chapters: readonly ListedChapter[]): string {
  const lists = chapters.map(
    ({ text, pages }) => `## ${text}\n\n${pages.map((page) => `- [${page.text}](${page.file})\n`).join('')}`,
  );
  return [HEAD, ...lists].join('\n');
}
