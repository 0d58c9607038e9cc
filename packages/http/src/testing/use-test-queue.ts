import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { catalog } from '@duework/shop';
import { createMemoryQueue, type MemoryQueue } from '@duework/testing';
import { afterAll, beforeAll } from '@jest/globals';
import { authorizeLocal } from '../access/authorize/authorize-local.js';
import { createQueueHandler, type QueueAlone, type QueueHandlerOptions } from '../create-queue-handler.js';
import { toNodeListener } from '../mount/to-node-listener.js';
import { ask, type Answer } from './use-test-api.js';

/** What the store of a dedicated queue declares: no part in transactions, no flow control, no durable steps, no batches. */
export const OF_A_DEDICATED_QUEUE = {
  transactional: false,
  lists: true,
  priorities: true,
  flow: false,
  steps: false,
  batches: false,
  unique: false,
  terms: true,
  events: false,
  objects: false,
};

export interface TestQueue {
  readonly url: string;
  readonly queue: MemoryQueue;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** An API on a real socket over a queue in this process, for one test file; its store lacks what `capabilities` says. */
export function useTestQueue(
  capabilities: object = OF_A_DEDICATED_QUEUE,
  more: Partial<QueueHandlerOptions & QueueAlone> = {},
): TestQueue {
  const queue = createMemoryQueue({ capabilities });
  let server: Server;
  let url = '';
  beforeAll(async () => {
    const handler = createQueueHandler({ queue, catalog, authorize: authorizeLocal(), ...more });
    server = createServer(toNodeListener(handler) as never);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  );
  return {
    get url() {
      return url;
    },
    queue,
    get: (path, headers = {}) => ask(url + path, { headers }),
    send: (method, path, body, headers = {}) =>
      ask(url + path, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}
