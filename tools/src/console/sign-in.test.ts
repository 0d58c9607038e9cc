import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findAxeFaults } from './testing/find-axe-faults.js';
import { useConsole } from './testing/use-console.js';

const app = useConsole({ isWithIssuer: true });

/** At the issuer: says who it is, and lets the console know. */
async function signInAs(page: Page, login: string): Promise<void> {
  await page.getByRole('button', { name: /^Sign in with 127\.0\.0\.1:/ }).click();
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
const stored = (page: Page) =>
  page.evaluate<unknown>(`({
    session: Object.keys(sessionStorage).filter((name) => name.startsWith('duework.')).sort(),
    local: Object.keys(localStorage),
    cookies: document.cookie,
  })`);

test('a person signs in at the issuer, goes on where they wanted to, and the audit names them', async () => {
  const page = await app.open('/jobs?filter=status:dead');
  const asked: string[] = [];
  page.on('request', (request) => {
    const isOfPage = request.frame().url().startsWith(app.url) && !request.isNavigationRequest();
    if (isOfPage) asked.push(new URL(request.url()).origin);
  });
  await signInAs(page, 'ops-ana');
  await page.getByRole('button', { name: 'dead', pressed: true }).waitFor();
  expect(page.url()).toBe(`${app.url}/console/jobs?filter=status:dead`);
  await page.getByRole('button', { name: 'Signed in as person:ops-ana@example.org' }).waitFor();
  // the page itself has asked nobody but its own server
  expect(new Set(asked)).toEqual(new Set([app.url]));
  // the token is in this tab alone, and what the sign-in was begun with is gone
  expect(await stored(page)).toEqual({ session: ['duework.key', 'duework.person'], local: [], cookies: '' });

  const payload = { receiptId: 'S-1', email: 'ana@example.com', amountCents: 990, currency: 'EUR' };
  const { id } = await app.call<{ id: string }>('POST', '/v1/jobs', {
    type: 'send_receipt',
    payload,
    delaySeconds: 3_600,
  });
  await page.goto(`${app.url}/console/jobs/${id}`);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('It is cancelled.').waitFor();
  const { entries } = await app.call<{ entries: object[] }>('GET', '/v1/audit');
  expect(entries[0]).toMatchObject({ by: 'person:ops-ana@example.org' });

  // a reload stays signed in; signing out is the end of it, at the issuer, too
  await page.reload();
  await page.getByRole('button', { name: /^Signed in as person/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await page.getByRole('button', { name: /^Sign in with/ }).waitFor();
  // which screen is the first is known of somebody who is signed in
  await page.waitForURL(/\/console\/?$/);
  expect(await stored(page)).toEqual({ session: [], local: [], cookies: '' });
  await signInAs(page, 'ops-bo');
  await page.getByRole('button', { name: 'Signed in as person:ops-bo@example.org' }).waitFor();
  await page.waitForURL(`${app.url}/console/overview`);
});

test('a person whose token expires stays signed in', async () => {
  const page = await app.open('/jobs');
  await signInAs(page, 'ops-brief');
  await page.getByRole('button', { name: 'Signed in as person:ops-brief@example.org' }).waitFor();
  const before = await page.evaluate<string>(`sessionStorage.getItem('duework.key')`);
  await page.waitForResponse((response) => response.url().endsWith('/v1/sign-in/refresh') && response.ok());
  await page.waitForFunction(`sessionStorage.getItem('duework.key') !== ${JSON.stringify(before)}`);
  await page.getByRole('combobox', { name: 'Filter' }).waitFor();
  expect(await page.getByRole('button', { name: /^Sign in with/ }).count()).toBe(0);
});

test.each(['light', 'dark'] as const)(
  'the sign-in has no fault that axe finds, and fits a phone: %s',
  async (colorScheme) => {
    for (const width of [320, 1440]) {
      const page = await app.open('/jobs', { context: { colorScheme, viewport: { width, height: 640 } } });
      await page.getByRole('button', { name: /^Sign in with/ }).waitFor();
      expect([width, await findAxeFaults(page)]).toEqual([width, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  },
);

test('a person without a role is told which scope is missing', async () => {
  const page = await app.open('/jobs');
  await signInAs(page, 'guest');
  await page.getByRole('alert').filter({ hasText: 'read' }).waitFor();
});

test('a person who stops at the issuer comes back, is told so, and can show a key instead', async () => {
  const page = await app.open('/jobs');
  await page.getByRole('button', { name: /^Sign in with/ }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('alert').filter({ hasText: 'access_denied' }).waitFor();
  expect(page.url()).toBe(`${app.url}/console/jobs`);
  await page.getByLabel('API key').fill(await app.createKey(['read']));
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Filter' }).waitFor();
});

test('a sign-in that somebody else has begun is not finished here, and signs nobody out', async () => {
  const link = '/signed-in?code=somebody-elses&state=somebody-elses';
  const sent: string[] = [];
  const watch = (page: Page): void =>
    void page.on('request', (request) => request.url().includes('/v1/sign-in/token') && sent.push(request.url()));
  const stranger = await app.open('/');
  watch(stranger);
  await stranger.goto(`${app.url}/console${link}`);
  await stranger.getByRole('alert').filter({ hasText: 'did not start that sign-in' }).waitFor();
  expect(stranger.url()).not.toContain('code=');
  const signedIn = await app.open('/', { key: await app.createKey(['read']) });
  watch(signedIn);
  await signedIn.goto(`${app.url}/console${link}`);
  await signedIn.getByRole('heading', { name: 'Overview', level: 1 }).waitFor({ state: 'attached' });
  expect(sent).toEqual([]);
});
