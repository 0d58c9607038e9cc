import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Screen } from './screens.js';

const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
const THEMES = ['light', 'dark'] as const;
const DOCS_WIDTH = 1_200;

export interface TakePicturesOptions {
  readonly browser: Browser;
  /** Of the console. */
  readonly url: string;
  readonly screens: readonly Screen[];
  readonly dir: string;
}

/** Makes a picture of every screen in both themes and sizes. Returns what the browser complained about. */
export async function takePictures({ browser, url, screens, dir }: TakePicturesOptions): Promise<readonly string[]> {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const complaints: string[] = [];
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of THEMES) {
      const page = await openPage(browser, { viewport, colorScheme }, complaints);
      for (const screen of screens)
        await take(page, url, screen, join(dir, `${screen.name}-${size}-${colorScheme}.png`));
      await page.context().close();
    }
  return [...new Set(complaints)];
}

/** Makes the pictures of the documentation, of those screens that are in it. Returns what the browser complained about. */
export async function takeDocsPictures({
  browser,
  url,
  screens,
  dir,
}: TakePicturesOptions): Promise<readonly string[]> {
  mkdirSync(dir, { recursive: true });
  const complaints: string[] = [];
  for (const screen of screens) {
    if (screen.docs === undefined) continue;
    const { height, theme } = screen.docs;
    const page = await openPage(browser, { viewport: { width: DOCS_WIDTH, height }, colorScheme: theme }, complaints);
    await take(page, url, screen, join(dir, `console-${screen.name}.png`));
    await page.context().close();
  }
  return complaints;
}

async function openPage(browser: Browser, options: BrowserContextOptions, complaints: string[]): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', timezoneId: 'Europe/Berlin', ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    // a refusal (422) is what some pictures are of
    if (message.type() === 'error' && !message.text().includes('status of 422'))
      complaints.push(`${page.url()}: ${message.text()}`);
  });
  return page;
}

async function take(page: Page, url: string, { path, prepare }: Screen, file: string): Promise<void> {
  await page.goto(`${url}/${typeof path === 'string' ? path : await path()}`);
  // what is asked for is there, and drawn in its own letters
  await page.locator('main :is(table, dl, h2)').first().waitFor();
  await page.evaluate('document.fonts.ready.then(() => null)');
  await prepare?.(page);
  await page.screenshot({ path: file });
}
