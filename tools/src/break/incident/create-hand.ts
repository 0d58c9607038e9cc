import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openBrowser } from '../../console/open-browser.js';
import { onEnd } from '../../kit/clean-up.js';
import { waitUntil } from '../../kit/wait-until.js';
import type { Hand, Incident, Scene } from './incident.js';

const DESK = { width: 1_280, height: 800 };
const PHONE = { width: 390, height: 844 };
const LIMIT_MS = 120_000;
const SETTLED_MS = 500;

interface HandOptions {
  readonly scene: Scene;
  readonly name: string;
  readonly incident: Incident;
  /** Where pictures go of all that is seen; undefined: nowhere. */
  readonly pictures: string | undefined;
  readonly say: (line: string) => void;
}

/** Plays whoever is on call with a mouse, in the console, and says each click. Begins at the overview, signed in. */
export async function createHand({ scene, name, incident, pictures, say }: HandOptions) {
  const browser = await openBrowser();
  const forget = onEnd(() => void browser.close());
  const page = await (await browser.newContext({ viewport: DESK, reducedMotion: 'reduce' })).newPage();
  page.setDefaultTimeout(LIMIT_MS);
  await page.addInitScript(`sessionStorage.setItem('duework.key', ${JSON.stringify(scene.key)})`);
  await page.goto(`${scene.url}/console/overview`);
  const count = { clicks: 0, texts: 0 };
  let seen = 0;

  const hand: Hand = {
    scene,
    page,
    async press(what) {
      const target = await waitUntil('It is not there', () => findTarget(page, what), { limitMs: LIMIT_MS }).catch(
        async () => {
          throw new Error(`${name}: ${String(what)} cannot be clicked. There is:\n${await listTargets(page)}`);
        },
      );
      await target.click();
      count.clicks++;
      say(`click ${String(what)}`);
    },
    async search(filter) {
      await page.locator('input[data-search], [role=combobox]').first().fill(filter);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      count.texts++;
      say(`search ${filter}`);
    },
    async back() {
      await page.goBack();
      count.clicks++;
      say('click back');
    },
    async write(label, text) {
      await page
        .getByLabel(label)
        .last()
        .fill(text)
        .catch(async () => {
          throw new Error(`${name}: nothing is called ${String(label)}:\n${await page.innerText('body')}`);
        });
      count.texts++;
      say(`write ${text}`);
    },
    async see(sentence) {
      await page
        .locator('body')
        .getByText(sentence)
        .filter({ visible: true })
        .first()
        .waitFor()
        .catch(async () => {
          throw new Error(`${name}: the console does not show ${String(sentence)}:\n${await page.innerText('body')}`);
        });
      say(`see ${String(sentence)}`);
      if (pictures !== undefined) await take(page, join(pictures, `${name}-${++seen}`));
    },
    async others() {
      say(`… ${incident.others!.do}`);
      await incident.others!.run(scene);
    },
  };
  return {
    hand,
    count,
    close: async (): Promise<void> => {
      forget();
      await browser.close();
    },
  };
}

/** What can be clicked: in the dialog where one is open, else in the screen, else beside it; null: nothing yet. */
async function findTarget(page: Page, what: string | RegExp): Promise<Locator | null> {
  const dialog = page.getByRole('dialog');
  const places = (await dialog.count()) > 0 ? [dialog.last()] : [page.locator('main'), page.locator('body')];
  for (const place of places) {
    const by = (role: 'button' | 'link' | 'radio' | 'checkbox' | 'menuitem'): Locator =>
      place.getByRole(role, { name: what, exact: true });
    const found = by('button').or(by('link')).or(by('radio')).or(by('checkbox')).or(by('menuitem'));
    const target = found.filter({ visible: true }).first();
    if ((await target.count()) > 0 && (await target.isEnabled())) return target;
  }
  return null;
}

const listTargets = async (page: Page): Promise<string> =>
  (await page.locator('button:visible, a:visible, [role=menuitem]:visible').allInnerTexts())
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .join(' | ');

async function take(page: Page, path: string): Promise<void> {
  // what is still being drawn or moved
  await page.waitForTimeout(SETTLED_MS);
  await page.screenshot({ path: `${path}-desk.png` });
  await page.setViewportSize(PHONE);
  await page.waitForTimeout(SETTLED_MS);
  await page.screenshot({ path: `${path}-phone.png` });
  await page.setViewportSize(DESK);
}
