import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = {
  all: `['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']`,
  // all that a theme can change
  colours: `['color-contrast', 'link-in-text-block']`,
};
const LINES = `({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ html, any }) => id + ': ' + html.slice(0, 160) + ' ' + (any[0] ? any[0].message : '')))`;
/** Dialogs and menus over the page, where there are some: what is behind them has been looked at. */
const WINDOWS = `(document.querySelector('[data-window]') ? { include: [...document.querySelectorAll('[data-window]')] } : document)`;

/** What axe finds wrong by WCAG 2.2 AA, a line for each: with the whole page, or with what is open over it. */
export async function findAxeFaults(
  page: Page,
  part: 'page' | 'windows' = 'page',
  rules: keyof typeof RULES = 'all',
): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(`${axe}; null`);
  return page.evaluate<readonly string[]>(
    `axe.run(${part === 'page' ? 'document' : WINDOWS}, { resultTypes: ['violations'], runOnly: ${RULES[rules]} }).then(${LINES})`,
  );
}
