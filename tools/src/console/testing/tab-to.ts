import type { Locator, Page } from 'playwright-core';

/** More than any screen has to stop at. */
const MAX_TABS = 120;

/** Goes on with Tab until the focus is on `target`, as somebody without a mouse does. Throws where Tab never comes there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let pressed = 0; pressed < MAX_TABS; pressed++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${String(target)}`);
}

/** Whether the focus is on something, or inside it. */
export const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((one) => one.contains(one.ownerDocument.activeElement));
