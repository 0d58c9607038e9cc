import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { listScreens } from '../../write/pictures/screens.js';
import type { Made } from '../../write/pictures/make-trouble.js';
import { findAxeFaults } from './find-axe-faults.js';
import { listWindows } from './list-windows.js';
import type { TestConsole } from './use-console.js';

const WIDE = { width: 1440, height: 900 };
/** The narrowest that WCAG asks for. */
const PHONE = { width: 320, height: 640 };
const LOOKS = [
  [WIDE, 'light', 'page', 'all'],
  [WIDE, 'dark', 'windows', 'colours'],
  [PHONE, 'dark', 'windows', 'all'],
  [PHONE, 'light', 'windows', 'colours'],
] as const;

const nothing: Made = { dead: '', retrying: '', waiting: '', unknown: '', startSlow: () => Promise.resolve('') };

/** Everything that the pictures show: screens, dialogs, menus, the palette, empty states, what went wrong. */
export function describeScreens(app: TestConsole, made: () => Made): void {
  describe('in both themes, wide and on a phone, axe finds no fault, and nothing makes the page wider', () => {
    const list = (of: Made) => [...listScreens(of), ...listWindows(of)];
    test.each(list(nothing).map(({ name }) => name))('%s', async (name) => {
      const { path, prepare } = list(made()).find((one) => one.name === name)!;
      const at = typeof path === 'string' ? path : await path();
      const page = await app.open(`/${at}`, { key: app.all, context: { viewport: WIDE } });
      await page.locator('main :is(table, dl, h2)').first().waitFor();
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
      await prepare?.(page);
      await findFaults(page);
    });

    test('the sign-in', async () => {
      const page = await app.open('/jobs');
      await page.getByLabel('API key').waitFor();
      await findFaults(page);
    });
  });
}

/** Looks at a page as it is in each theme and at each width. */
export async function findFaults(page: Page): Promise<void> {
  for (const [viewport, colorScheme, part, rules] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
    // axe takes a link that is scrolled half below the bar at the top for one that is too small
    await page.evaluate('scrollTo(0, 0)');
    const at = `${viewport.width} px, ${colorScheme}`;
    expect([at, await findAxeFaults(page, part, rules)]).toEqual([at, []]);
    expect([at, await page.evaluate<unknown>(LIST_WIDER)]).toEqual([at, []]);
  }
}

/** What stands out of the page, if anything makes it wider than the window. */
const LIST_WIDER = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth)
    .map(({ outerHTML }) => outerHTML.slice(0, 160))`;
