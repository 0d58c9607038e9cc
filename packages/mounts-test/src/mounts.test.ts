import { createKey } from '@duework/operate';
import { createQueueHandler, type QueueHandler } from '@duework/http';
import { readEvents } from '@duework/http/testing';
import { echo, testCatalog, useTestDatabase } from '@duework/testing/fixtures';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Browser } from 'playwright-core';
import type { Mounted } from './mounted.js';
import { openExpress } from './testing/open-express.js';
import { openFastify } from './testing/open-fastify.js';
import { openHono } from './testing/open-hono.js';
import { openHonoMount } from './testing/open-hono-mount.js';
import { openBrowser } from './testing/open-browser.js';
import { openNext } from './testing/open-next.js';

const database = useTestDatabase();
const frameworks: [string, (handler: QueueHandler) => Promise<Mounted>][] = [
  ['Hono', openHono],
  ['Hono’s mount', openHonoMount],
  ['Express', openExpress],
  ['Express behind its JSON parser', (handler) => openExpress(handler, true)],
  ['Fastify', openFastify],
  ['a route handler of Next.js', () => openNext(database.url)],
];

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

describe.each(frameworks)('below a path of %s', (_, open) => {
  let pool: pg.Pool;
  let mounted: Mounted;
  let key = '';
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: database.url, max: 4 });
    mounted = await open(createQueueHandler({ db: pool, catalog: testCatalog, basePath: '/admin/queue' }));
    const name = `mount-${process.hrtime.bigint()}`;
    key = (await createKey(pool, { name, scopes: ['enqueue', 'read', 'payloads', 'operate', 'schedules'] })).text;
  });
  afterAll(async () => {
    await mounted.close();
    await pool.end();
  });
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(mounted.url + path, { redirect: 'manual', ...init });
  /** Reads the body, too, so that its connection can end. */
  const statusOf = async (path: string): Promise<number> => {
    const answer = await ask(path);
    await answer.arrayBuffer();
    return answer.status;
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    ask(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}`, ...headers },
      body: JSON.stringify(body),
    });

  test('a job is enqueued, and its Location leads to it', async () => {
    const answer = await post('/admin/queue/v1/jobs', { type: echo.type, payload: { n: 1 } });
    expect(answer.status).toBe(202);
    const { id } = (await answer.json()) as { id: string };
    const location = answer.headers.get('location')!;
    expect(location).toBe(`/admin/queue/v1/jobs/${id}`);
    const found = await ask(location, { headers: { Authorization: `Bearer ${key}` } });
    expect(await found.json()).toMatchObject({ id, status: 'queued', payload: { n: 1 } });
  });

  test('every method of the API comes through: a job is changed, a schedule made and deleted', async () => {
    const { id } = (await (await post('/admin/queue/v1/jobs', { type: echo.type, payload: { n: 1 } })).json()) as {
      id: string;
    };
    const send = async (method: string, path: string, body?: unknown): Promise<number> => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
      const answer = await ask(`/admin/queue/v1/${path}`, { method, headers, body: JSON.stringify(body) });
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await send('PATCH', `jobs/${id}`, { priority: 1 })).toBe(200);
    const schedule = { cron: '0 3 * * *', timeZone: 'UTC', type: echo.type, payload: { n: 1 } };
    expect(await send('PUT', 'schedules/nightly', schedule)).toBe(201);
    expect(await send('DELETE', 'schedules/nightly')).toBe(204);
  });

  test('a request is repeated under its Idempotency-Key', async () => {
    const body = { type: echo.type, payload: { n: 2 } };
    const first = await post('/admin/queue/v1/jobs', body, { 'Idempotency-Key': 'once' });
    const again = await post('/admin/queue/v1/jobs', body, { 'Idempotency-Key': 'once' });
    expect(await again.text()).toBe(await first.text());
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
  });

  test('without a key everything is closed, and the problem points to its page', async () => {
    const answer = await ask('/admin/queue/v1/jobs');
    expect(answer.status).toBe(401);
    const { type } = (await answer.json()) as { type: string };
    expect(type).toBe('/admin/queue/problems/unauthenticated');
    const page = await ask(type, { headers: { Accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Authorization: Bearer')]);
  });

  test('links, the document and the page of the document stay below the path', async () => {
    const index = (await (await ask('/admin/queue')).json()) as { links: Record<string, string> };
    for (const link of Object.values(index.links)) expect(link).toMatch(/^\/admin\/queue\//);
    const document = (await (await ask(index.links['openapi']!)).json()) as { servers: unknown };
    expect(document.servers).toEqual([{ url: '/admin/queue' }]);
    const page = await (await ask(index.links['docs']!)).text();
    for (const [, address] of page.matchAll(/(?:src|href|data-document)="(\/[^"]*)"/g)) {
      expect(address).toMatch(/^\/admin\/queue\//);
      expect(await statusOf(address!)).toBe(200);
    }
  });

  test('what is not below the path is the framework’s own', async () => {
    expect(await (await ask('/hello')).text()).toBe('hello');
    expect(await statusOf('/v1/jobs')).toBe(404);
  });

  test('events are passed on as they come, although the client would take them compressed', async () => {
    const events = await readEvents(`${mounted.url}/admin/queue/v1/events?filter=type:echo`, {
      Authorization: `Bearer ${key}`,
      'Accept-Encoding': 'gzip, br',
    });
    expect(await events.next()).toMatchObject({ event: 'page' });
    const { id } = (await (await post('/admin/queue/v1/jobs', { type: echo.type, payload: { n: 3 } })).json()) as {
      id: string;
    };
    expect((await events.next())!.data.ids[0]).toBe(id);
    events.close();
  });

  test('a body that is too large, or no JSON, is refused as it is elsewhere', async () => {
    const big = await post('/admin/queue/v1/jobs', { type: echo.type, payload: { n: 1, text: 'x'.repeat(90_000) } });
    expect([big.status, await big.json()]).toEqual([413, expect.objectContaining({ code: 'body_too_large' })]);
  });

  test('the console opens at a deep address, signs in, follows a job, and all that it asks for is below the path', async () => {
    const { id } = (await (await post('/admin/queue/v1/jobs', { type: echo.type, payload: { n: 4 } })).json()) as {
      id: string;
    };
    const page = await browser.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('response', (answer) => answer.status() >= 400 && answer.status() !== 401 && complaints.push(answer.url()));
    page.on('pageerror', ({ message }) => complaints.push(message));
    const address = `${mounted.url}/admin/queue/console/jobs/${id}`;
    await page.goto(address);
    await page.getByLabel('API key').fill(key);
    const stream = page.waitForResponse(`${mounted.url}/admin/queue/v1/jobs/${id}/events`);
    await page.keyboard.press('Enter');
    const status = (word: string) => page.locator('main header').getByText(word, { exact: true }).waitFor();
    await status('queued');
    expect((await (await stream).allHeaders())['content-type']).toContain('text/event-stream');
    expect((await post(`/admin/queue/v1/jobs/${id}/cancel`, { reason: 'seen' })).status).toBe(200);
    await status('cancelled');
    await page.reload();
    await status('cancelled');
    expect(page.url()).toBe(address);
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.waitForURL(`${mounted.url}/admin/queue/console/jobs`);
    await page.getByRole('row').filter({ hasText: id }).waitFor();
    // a stylesheet, scripts and letters among it
    expect(asked.filter((url) => !url.startsWith(`${mounted.url}/admin/queue/`))).toEqual([]);
    expect(asked.some((url) => url.endsWith('.css'))).toBe(true);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
