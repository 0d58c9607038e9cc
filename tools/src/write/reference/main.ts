/**
 * `npm run write -- reference`: the pages that are written from code: commands, options, functions, the API's problems,
 * the list of pages; `npm run check -- reference` compares.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSources } from '../../../bootstrap/list-sources.mjs';
import { below, root } from '../../../bootstrap/paths.mjs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { createProgram } from '../../kit/create-program.js';
import { formatText } from '../format-text.js';
import { runProgram } from '../../kit/run-program.js';
import { listPages, renderPages, unlistedPages } from './list-pages.js';
import { renderCommands } from './render-commands.js';
import { renderFunctions } from './render-functions.js';
import { renderOptions } from './render-options.js';
import { renderProblems } from './render-problems.js';

const docs = (path: string): string => join(root, 'docs', path);
const read = (path: string): string => readFileSync(path, 'utf8');

/** The list of pages, out of the site's menu. */
function writePages(): string {
  const chapters = listPages(read(docs('.vitepress/pages.ts')));
  const missing = unlistedPages(
    chapters,
    listSources('docs').map((path) => path.slice('docs/'.length)),
  );
  if (missing.length > 0) throw new PlainError(`docs/.vitepress/pages.ts has no line for ${missing.join(', ')}.`);
  return renderPages(chapters);
}

const pages: { readonly [path: string]: (path: string) => string | Promise<string> } = {
  'README.md': writePages,
  'look-up/commands.md': renderCommands,
  'look-up/options.md': (path) => formatText(path, renderOptions()),
  'look-up/functions.md': async (path) => formatText(path, await renderFunctions()),
  'look-up/errors.md': (path) => formatText(path, renderProblems(read(path))),
};

const program = createProgram(
  'write reference',
  `Writes docs/${Object.keys(pages).join(', docs/')} from the code: the menu of the site, the help of the command, the comments of the options and functions, the problems of the API. Exit code 1: a page is in no chapter or, with --check, one is out of date.`,
).option('--check', 'write nothing, and fail when one differs');

await runProgram(program, async () => {
  const isCheck = program.opts<{ check?: true }>().check === true;
  let outOfDate = 0;
  for (const [name, render] of Object.entries(pages)) {
    const path = docs(name);
    const expected = await render(path);
    if (read(path) === expected) continue;
    outOfDate += 1;
    if (!isCheck) writeFileSync(path, expected);
    process.stdout.write(`${isCheck ? 'Out of date' : 'Written'}: ${below(path)}\n`);
  }
  if (outOfDate === 0) process.stdout.write('The pages that are written from code are up to date.\n');
  else if (isCheck) process.stderr.write('Run: npm run write -- reference\n');
  return isCheck && outOfDate > 0 ? 1 : 0;
});
