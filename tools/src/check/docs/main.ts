/** `npm run check -- docs`: the pages are not too long, lead somewhere, and name what they list. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { findDeadLinks } from '../links/find-dead-links.js';
import { BUDGET, findOverBudget } from './find-over-budget.js';
import { findUnnamed } from './find-unnamed.js';

const program = createProgram(
  'check docs',
  `Looks for pages over ${BUDGET.page} words and cells over ${BUDGET.cell} characters, for more than ${BUDGET.site} words for
users in all, for links that lead to no file or heading, and for an alert, a variable, a table or a package that the page
of its kind does not name. The list of pages is compared by reference, the code by fences. Exit code 1: one was found.`,
);

await runProgram(program, () => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const listed = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const pages = listed.map((path) => ({ path, text: read(path) }));
  const isPage = /^(?:README\.md|docs\/|packages\/[\w-]+\/README\.md$)/;
  const problems = [
    ...findOverBudget(pages.filter(({ path }) => isPage.test(path))),
    ...pages.flatMap(({ path, text }) =>
      findDeadLinks(root, path, text).map((link) => `${path}: ${link} leads nowhere`),
    ),
    ...findUnnamed(read),
  ];
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    problems.length === 0 ? `${pages.length} pages are in order.\n` : `${problems.length} problems.\n`,
  );
  return problems.length === 0 ? 0 : 1;
});
