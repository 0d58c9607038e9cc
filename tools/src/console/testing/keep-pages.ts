import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** What every page has, and what a page that is kept has again for the next test. */
const MEDIA = { reducedMotion: 'reduce', colorScheme: 'light' } as const;
const VIEWPORT = { width: 1280, height: 720 };
/** Ends a wait that hangs, with its words, before jest ends its test; a machine that does much else ends none. */
const LIMIT_MS = 120_000;

/** How a page begins. */
export interface PageOptions {
  /** It is signed in with this key. */
  readonly key?: string;
  /** With more than a viewport and a colour scheme it is a new page, as it is after another test in these. */
  readonly context?: BrowserContextOptions;
  /** It is a page in which nothing was loaded or compiled before. */
  readonly isNew?: boolean;
}

export interface Pages {
  /** Opens an address below `root`. */
  open(path: string, options?: PageOptions): Promise<Page>;
  /** Leaves what a test has opened, and returns what the browser has complained of meanwhile. */
  leave(): Promise<readonly string[]>;
}

interface KeepPagesOptions {
  readonly browser: Browser;
  /** The address of the server. */
  readonly root: string;
  /** Watches each page from its beginning. */
  readonly watch?: (page: Page, complain: (words: string) => void) => void;
}

/**
 * Pages that tests have in turn, each as if it were new: a new one takes five times as much of the processor, because it has
 * a process of its own, which loads and compiles the console anew. Two that are open at once share nothing. What stays from
 * test to test is the browser's cache.
 */
export function keepPages({ browser, root, watch = () => {} }: KeepPagesOptions): Pages {
  /** Nothing asks or changes anything here, and it is of the console's origin: its process and its storage are kept. */
  const rest = `${root}/livez`;
  const free: Page[] = [];
  let open: { readonly page: Page; readonly isKept: boolean }[] = [];
  let complaints: string[] = [];

  async function make(context: BrowserContextOptions): Promise<Page> {
    const page = await (await browser.newContext({ ...MEDIA, viewport: VIEWPORT, ...context })).newPage();
    page.setDefaultTimeout(LIMIT_MS);
    const complain = (words: string): void => void complaints.push(words);
    page.on('pageerror', ({ message }) => complain(message));
    page.on('console', (message) => {
      // a refusal of the API is an answer, not a fault of the page
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isAnswer) complain(message.text());
    });
    watch(page, complain);
    return page;
  }

  async function makeOrTake({ viewport, colorScheme }: BrowserContextOptions): Promise<Page> {
    const page = free.pop() ?? (await make({}));
    open.push({ page, isKept: true });
    if (page.url() === 'about:blank') await page.goto(rest);
    await page.emulateMedia({ ...MEDIA, colorScheme: colorScheme ?? MEDIA.colorScheme });
    await page.setViewportSize(viewport ?? VIEWPORT);
    return page;
  }

  async function makeOwn(context: BrowserContextOptions, key: string | undefined): Promise<Page> {
    const page = await make(context);
    open.push({ page, isKept: false });
    if (key !== undefined)
      // a page without an address may store nothing
      await page.addInitScript(`if (location.href !== 'about:blank') ${signIn(key)}`);
    return page;
  }

  /** Leaves nothing of a test in a page: nothing stored or intercepted, nothing that still asks the API. */
  async function rested(page: Page): Promise<void> {
    await page.context().setOffline(false);
    await page.unrouteAll();
    await page.mouse.move(-1, -1);
    await page.goto(rest);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await page.context().clearCookies();
    free.push(page);
  }

  return {
    async open(path, { key, context = {}, isNew = false } = {}) {
      const isKept = !isNew && Object.keys(context).every((name) => name === 'viewport' || name === 'colorScheme');
      const page = isKept ? await makeOrTake(context) : await makeOwn(context, key);
      if (isKept && key !== undefined) await page.evaluate(signIn(key));
      await page.goto(root + path);
      return page;
    },
    async leave() {
      const left = open;
      open = [];
      await Promise.all(left.map(({ page, isKept }) => (isKept ? rested(page) : page.context().close())));
      const found = complaints;
      complaints = [];
      return found;
    },
  };
}

const signIn = (key: string): string => `sessionStorage.setItem('duework.key', ${JSON.stringify(key)})`;
