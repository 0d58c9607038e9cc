/** `npm run write -- pages`: writes docs/README.md from the menu of the site; `npm run check -- pages` compares. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { listPages, unlistedPages } from './list-pages.js';

const DOCS = join(root, 'docs');
const FILE = join(DOCS, 'README.md');
const HEAD = `# Documentation

Begin at the top, or look for what you need. The menu of the site is the same, from \`docs/.vitepress/pages.ts\`. What
only those need who change Duework is in [internals](internals/README.md), off the site.
`;

const program = createProgram(
  'write pages',
  'Writes docs/README.md from docs/.vitepress/pages.ts. Exit code 1: a page is in no chapter or, with --check, the list is out of date.',
).option('--check', 'write nothing, and fail when it differs');

await runProgram(program, () => {
  const chapters = listPages(readFileSync(join(DOCS, '.vitepress/pages.ts'), 'utf8'));
  const files = readdirSync(DOCS, { recursive: true, encoding: 'utf8' });
  const missing = unlistedPages(chapters, files);
  if (missing.length > 0) throw new PlainError(`docs/.vitepress/pages.ts has no line for ${missing.join(', ')}.`);
  const expected = [
    HEAD,
    ...chapters.map(
      ({ text, pages }) => `## ${text}\n\n${pages.map((page) => `- [${page.text}](${page.file})\n`).join('')}`,
    ),
  ].join('\n');
  if (program.opts<{ check?: true }>().check === undefined) {
    writeFileSync(FILE, expected);
    process.stdout.write('docs/README.md written.\n');
    return 0;
  }
  if (readFileSync(FILE, 'utf8') === expected) {
    process.stdout.write('docs/README.md has the pages of the menu.\n');
    return 0;
  }
  process.stderr.write('docs/README.md has not the pages of the menu. Run: npm run write -- pages\n');
  return 1;
});
