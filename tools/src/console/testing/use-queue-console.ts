import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authorizeLocal, createQueueHandler, toNodeListener } from '@duework/http';
import { catalog } from '@duework/shop';
import { createMemoryQueue, type MemoryQueue } from '@duework/testing';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../open-browser.js';
import { keepPages, type Pages } from './keep-pages.js';

/** What the store of a dedicated queue declares that it has not. */
const CAPABILITIES = { transactional: false, flow: false, steps: false, batches: false, unique: false };

export interface QueueConsole {
  readonly queue: MemoryQueue;
  readonly url: string;
  /** A page of its own, at an address below the console, which asks for nothing that is refused unless it may. */
  open(path: string, options?: { readonly mayBeRefused?: boolean }): Promise<Page>;
}

/**
 * The console in a real browser, before a queue that is in no database: one in this process, whose store lacks what that of a
 * dedicated queue lacks. After each test the browser must not have complained, and nothing that is refused was asked for.
 */
export function useQueueConsole(): QueueConsole {
  const queue = createMemoryQueue({ capabilities: CAPABILITIES });
  let server: Server;
  let browser: Browser;
  let url = '';
  let pages: Pages;
  let isRefusalFine = false;
  beforeAll(async () => {
    const handler = createQueueHandler({ queue, catalog, authorize: authorizeLocal() });
    server = createServer(toNodeListener(handler) as never);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await openBrowser();
    pages = keepPages({
      browser,
      root: url,
      watch(page, complain) {
        page.on('response', (response) => {
          if (response.status() === 501 && !isRefusalFine) complain(`${response.url()} is refused, and was asked for`);
        });
      },
    });
  });
  afterEach(async () => {
    expect(await pages.leave()).toEqual([]);
    isRefusalFine = false;
  });
  afterAll(async () => {
    await browser?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    queue,
    get url() {
      return url;
    },
    open(path, { mayBeRefused = false } = {}) {
      isRefusalFine ||= mayBeRefused;
      return pages.open(`/console${path}`);
    },
  };
}
