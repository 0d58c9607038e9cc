import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RUN = `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ': ' + html.slice(0, 160) + ' ' + (any[0] ? any[0].message : ''))))`;

/** What axe finds wrong with a page by WCAG 2.2 AA, a line for each. */
export const findAxeFaults = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`${axe};${RUN}`);
