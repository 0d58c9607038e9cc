import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { createKey, revokeKey, type Scope } from '@duework/operate';
import type { TestDatabase } from '@duework/database/testing';
import type { ShardProxy } from '@duework/http/testing';
import { createShopDatabase } from '@duework/shop/testing';
import { Pool } from 'pg';
import type { Browser, Page } from 'playwright-core';
import { findFreePort } from '../../kit/find-free-port.js';
import { startIssuer, type Issuer } from '../issuer/start-issuer.js';
import { openBrowser } from '../open-browser.js';
import { keepPages, type PageOptions, type Pages } from './keep-pages.js';
import { type SecondShard, startSecondShard } from './start-second-shard.js';
import { startPickyMailServer, type PickyMailServer } from '../start-picky-mail-server.js';
import { startProduct, type Product } from '../start-product.js';

export interface TestConsole {
  /** Of the API; the console is at `/console` below it. */
  readonly url: string;
  /** Makes a key, and returns its text. */
  createKey(scopes: readonly Scope[], types?: readonly string[]): Promise<string>;
  revoke(key: string): Promise<void>;
  /** A key that may do everything. */
  readonly all: string;
  /** A page of its own, without a key; with one it is signed in. Its first address is below the console. */
  open(path: string, options?: PageOptions): Promise<Page>;
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
  let pages: Pages;

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
    pages = keepPages({ browser, root: product.url });
    pool = new Pool({ connectionString: database.url, max: 3 });
    // a server that a test stops ends its connections
    pool.on('error', () => {});
    all = await makeKey(ALL);
  });
  afterEach(async () => {
    expect(await pages.leave()).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    // the worker does not wait for a mail that takes long
    await mail?.stop();
    await product?.stop();
    await issuer?.stop();
    await pool?.end();
    await second?.stop();
    await database?.drop();
  });

  async function makeKey(scopes: readonly Scope[], types?: readonly string[]): Promise<string> {
    const name = `console-${names.size}`;
    const { text } = await createKey(pool, { name, scopes, ...(types === undefined ? {} : { types }) });
    names.set(text, name);
    return text;
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
    get all() {
      return all;
    },
    // somebody who signs in at an issuer is known there by cookies of the same host
    open: (path, options) => pages.open(`/console${path}`, { isNew: isWithIssuer, ...options }),
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
