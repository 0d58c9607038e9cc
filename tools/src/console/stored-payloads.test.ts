import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineCatalog, defineJob } from '@duework/contracts';
import { authorizeLocal, createQueueHandler, toNodeListener } from '@duework/http';
import { enqueue } from '@duework/queue-core';
import { folderStore, setOffload } from '@duework/queue-core/objects';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { openBrowser } from './open-browser.js';
import { findAxeFaults } from './testing/find-axe-faults.js';

const importRows = defineJob({ type: 'import_rows', payload: z.object({ rows: z.array(z.string()) }) });
const catalog = defineCatalog([importRows]);
const database = useTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'duework-objects-'));
const server = createServer();
let browser: Browser;
let url = '';
beforeAll(async () => {
  setOffload({ above: '1kB', store: folderStore(folder) });
  const handler = createQueueHandler({ db: database.db, catalog, authorize: authorizeLocal() });
  server.on('request', toNodeListener(handler) as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  setOffload(null);
  rmSync(folder, { recursive: true });
});

/** A page with a job of so many characters, and the part of it that is its payload. */
async function open(characters: number) {
  const { id } = await enqueue(database.db, importRows, { rows: ['the first', 'x'.repeat(characters)] });
  const page = await browser.newPage();
  await page.goto(`${url}/console/jobs/${id}`);
  const payload = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Payload' }) });
  return { id, page, payload };
}

test('a payload that is in the store of objects is loaded when you ask for it', async () => {
  const { page, payload } = await open(2_000);
  await payload.getByText('It is in the store of objects (2.0 kB).').waitFor();
  expect(await payload.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
  expect(await findAxeFaults(page)).toEqual([]);
  await payload.getByRole('button', { name: 'Load the payload' }).click();
  await payload.getByText('"the first"').waitFor();
  await page.close();
});

test('one that is too long for a page is saved to a file', async () => {
  const { id, page, payload } = await open(600_000);
  await payload.getByRole('button', { name: 'Load the payload' }).click();
  const saved = page.waitForEvent('download');
  await payload.getByRole('link', { name: `Save job-${id}-payload.json` }).click();
  expect((await saved).suggestedFilename()).toBe(`job-${id}-payload.json`);
  await page.close();
});

test('one whose object is gone says so, and is asked for again', async () => {
  const { page, payload } = await open(2_000);
  rmSync(join(folder, 'objects'), { recursive: true });
  await payload.getByRole('button', { name: 'Load the payload' }).click();
  await payload.getByRole('button', { name: 'Try again' }).waitFor();
  await page.close();
});
