import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { createKey, revokeKey, type Scope } from '@duework/operate';
import type { TestDatabase } from '@duework/database/testing';
import type { ShardProxy } from '@duework/http/testing';
import { createShopDatabase } from '@duework/shop/testing';
import { Pool } from 'pg';
import type { Browser, BrowserContextOptions, Page, ViewportSize } from 'playwright-core';
import { findFreePort } from '../../kit/find-free-port.js';
import { startIssuer, type Issuer } from '../issuer/start-issuer.js';
import { openBrowser } from '../open-browser.js';
import { type SecondShard, startSecondShard } from './start-second-shard.js';
import { startPickyMailServer, type PickyMailServer } from '../start-picky-mail-server.js';
import { startProduct, type Product } from '../start-product.js';

export interface TestConsole {
  /** Of the API; the console is at `/console` below it. */
  readonly url: string;
  /** Makes a key, and returns its text. */
  createKey(scopes: readonly Scope[], types?: readonly string[]): Promise<string>;
  revoke(key: string): Promise<void>;
  /** A page of its own, without a key; with one it is signed in. Its first address is below the console. */
  open(path: string, options?: { readonly key?: string; readonly context?: BrowserContextOptions }): Promise<Page>;
  /**
   * The one page that all tests which ask for it have in turn, each as if it were new, signed in with a key that may do
   * everything: to open a page takes longer than to look at what it shows.
   */
  openInTurn(path: string, viewport: ViewportSize): Promise<Page>;
  /** Sends JSON to the API with a key that may do everything, and returns its answer. */
  call<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<T>;
  /** What stands before the shard `b`. */
  readonly second: ShardProxy;
  /** The mail server that the worker sends to. */
  readonly mail: PickyMailServer;
  /** Of the database. */
  readonly databaseUrl: string;
  /** Of the database, for what no API does: a table that is locked, a key that expires now. */
  readonly pool: Pool;
}

interface UseConsoleOptions {
  /** Whose database the product works on; a clone of the test run's own unless given. */
  readonly createDatabase?: () => Promise<Pick<TestDatabase, 'url' | 'drop'>>;
  /** The database is the shard `a`, beside a shard `b` that can be taken away. */
  readonly isWithShards?: boolean;
  /** People can sign in at a real OpenID Connect provider. */
  readonly isWithIssuer?: boolean;
  /** More variables of the API and the worker. */
  readonly env?: Readonly<Record<string, string>>;
}

const ALL: readonly Scope[] = ['enqueue', 'read', 'payloads', 'sensitive', 'operate', 'schedules', 'admin'];

/**
 * The console in a real browser, before the real API, a worker and a mail server. After each test the browser must not
 * have complained: no error of a script, nothing that the page's policy refused.
 */
export function useConsole({
  createDatabase = createShopDatabase,
  isWithIssuer = false,
  isWithShards = false,
  env = {},
}: UseConsoleOptions = {}): TestConsole {
  let database: Pick<TestDatabase, 'url' | 'drop'>;
  let mail: PickyMailServer;
  let product: Product;
  let issuer: Issuer | undefined;
  let second: SecondShard | undefined;
  let browser: Browser;
  let pool: Pool;
  let all = '';
  const names = new Map<string, string>();
  let pages: Page[] = [];
  let pageInTurn: Page | undefined;
  let complaints: string[] = [];

  beforeAll(async () => {
    database = await createDatabase();
    mail = await startPickyMailServer();
    const apiPort = await findFreePort();
    // its warnings are about the settings of a provider that faces the world
    if (isWithIssuer) issuer = await startIssuer(`http://127.0.0.1:${apiPort}/console/signed-in`, () => {});
    if (isWithShards) second = await startSecondShard(database.url);
    product = await startProduct({
      databaseUrl: database.url,
      smtpUrl: mail.url,
      apiKeys: 'on',
      apiPort,
      env: { ...issuer?.env, ...second?.env, ...env },
    });
    browser = await openBrowser();
    pool = new Pool({ connectionString: database.url, max: 3 });
    // a server that a test stops ends its connections
    pool.on('error', () => {});
    all = await makeKey(ALL);
  }, 120_000);
  afterEach(async () => {
    await Promise.all([...pages.map((page) => page.context().close()), pageInTurn && leave(pageInTurn)]);
    const found = complaints;
    [pages, complaints] = [[], []];
    expect(found).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await issuer?.stop();
    await mail?.stop();
    await pool?.end();
    await second?.stop();
    await database?.drop();
  }, 60_000);

  async function makeKey(scopes: readonly Scope[], types?: readonly string[]): Promise<string> {
    const name = `console-${names.size}`;
    const { text } = await createKey(pool, { name, scopes, ...(types === undefined ? {} : { types }) });
    names.set(text, name);
    return text;
  }

  async function openPage(key: string | undefined, context: BrowserContextOptions): Promise<Page> {
    const page = await (await browser.newContext({ reducedMotion: 'reduce', ...context })).newPage();
    page.setDefaultTimeout(20_000);
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      // a refusal of the API is an answer, not a fault of the page
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isAnswer) complaints.push(message.text());
    });
    if (key !== undefined)
      // a page without an address may store nothing
      await page.addInitScript(
        `if (location.href !== 'about:blank') sessionStorage.setItem('duework.key', ${JSON.stringify(key)})`,
      );
    return page;
  }

  return {
    get url() {
      return product.url;
    },
    get databaseUrl() {
      return database.url;
    },
    get second() {
      return second!.proxy;
    },
    get mail() {
      return mail;
    },
    get pool() {
      return pool;
    },
    createKey: makeKey,
    async revoke(key) {
      await revokeKey(pool, names.get(key)!);
    },
    async open(path, { key, context = {} } = {}) {
      const page = await openPage(key, context);
      pages.push(page);
      await page.goto(`${product.url}/console${path}`);
      return page;
    },
    async openInTurn(path, viewport) {
      pageInTurn ??= await openPage(all, {});
      await pageInTurn.emulateMedia({ colorScheme: 'light' });
      await pageInTurn.setViewportSize(viewport);
      await pageInTurn.goto(`${product.url}/console${path}`);
      return pageInTurn;
    },
    async call<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) {
      const response = await fetch(product.url + path, {
        method,
        headers: { Authorization: `Bearer ${all}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
      return (await response.json()) as T;
    },
  };
}

/** Leaves nothing of a test in the page: nothing stored, nothing below the pointer, nothing that still asks the API. */
async function leave(page: Page): Promise<void> {
  if (page.url() === 'about:blank') return;
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.mouse.move(-1, -1);
  await page.goto('about:blank');
}
