import { describe, expect, test } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import type { TestConsole } from './use-console.js';
import { listPlaces, type Places } from './list-places.js';

/** What changes something, by the words on its button, link or box. */
const ACTION =
  /^(Retry|Run|Cancel|Acknowledge|Pause|Resume|Delete|Edit|Save$|Enqueue|Undo|Abort|New|Make|Shut|Let in|Put back|Reschedule|Change|Move|Free|Select|It (happened|did not))/;

/** A key that may only read. */
export function describeReadOnly(app: TestConsole, places: () => Places): void {
  const listActions = (page: Page): Promise<string[]> =>
    page
      .locator('main')
      .locator('button, a, input[type=checkbox]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent ?? ''))
      .then((names) => names.map((name) => name.trim()).filter((name) => ACTION.test(name)));

  describe('a key that may only read', () => {
    test('sees no action on any screen, where one that may do everything sees them', async () => {
      const reader = await app.createKey(['read']);
      const operator = await app.createKey([
        'read',
        'payloads',
        'sensitive',
        'enqueue',
        'operate',
        'schedules',
        'admin',
      ]);
      const acted: string[] = [];
      const read = await app.open('/overview', { key: reader });
      const full = await app.open('/overview', { key: operator });
      const [readSettled, fullSettled] = [watchAnswers(read), watchAnswers(full)];
      for (const { path, name } of listPlaces(places())) {
        for (const page of [read, full]) await page.goto(`${app.url}/console${path}`);
        await readSettled();
        expect([name, await listActions(read)]).toEqual([name, []]);
        await fullSettled();
        if ((await listActions(full)).length > 0) acted.push(name);
      }
      expect(acted).toEqual(
        expect.arrayContaining(['jobs', 'job', 'schedules', 'schedule', 'queues', 'flow rule', 'contract', 'enqueue']),
      );
    });

    test('is refused by the server when the page asks all the same, for each verb of the API', async () => {
      const page = await app.open('/jobs', { key: await app.createKey(['read']) });
      await page.locator('main').waitFor();
      const answers = await page.evaluate<[string, number, string][]>(ASK_ALL);
      expect(answers.length).toBeGreaterThan(20);
      for (const [name, status, code] of answers) expect([name, status, code]).toEqual([name, 403, 'missing_scope']);
    });
  });
}

/** Watches what a page asks for. Returns a wait until all of it was answered and is drawn. */
function watchAnswers(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  // a live stream is never answered to its end
  const isAsked = (request: Request): boolean => /\/v1\/(?!.*\bevents\b)/.test(request.url());
  page.on('request', (request) => isAsked(request) && open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  const drawn = (): Promise<void> =>
    page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))');
  return async () => {
    await page.locator('main :is(table, dl, h2, h1)').first().waitFor();
    do await drawn();
    while (open.size > 0);
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
  };
}

/** Sends every request of the API that is not one of reading, with the key of the page. */
const ASK_ALL = `(async () => {
  const { paths } = await (await fetch('../openapi.json')).json();
  const asked = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods)
    .filter(([, { security }]) => security && !security[0].bearer.includes('read'))
    .map(([method]) => [method.toUpperCase(), path]));
  return Promise.all(asked.map(async ([method, path]) => {
    const answer = await fetch('..' + path.replaceAll(/\\{\\w+\\}/g, '1'), {
      method,
      headers: { Authorization: 'Bearer ' + sessionStorage.getItem('duework.key'), 'Content-Type': 'application/json' },
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }),
    });
    return [method + ' ' + path, answer.status, (await answer.json()).code];
  }));
})()`;
