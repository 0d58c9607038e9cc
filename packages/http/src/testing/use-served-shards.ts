import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';
import { toNodeListener } from '../mount/to-node-listener.js';
import { useTestShards, type TestShards } from './use-test-shards.js';

export interface ServedShards {
  readonly api: TestShards;
  /** Where it listens, with the base path. */
  readonly url: string;
}

/** The API over several databases, on a port of this machine, for one test file. */
export function useServedShards(names: readonly string[], basePath = ''): ServedShards {
  const api = useTestShards(names, (options) => ({ ...options, ...(basePath === '' ? {} : { basePath }) }));
  let server: Server;
  let url = '';
  beforeAll(async () => {
    server = createServer(toNodeListener(api.handler) as never);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return {
    api,
    get url() {
      return url;
    },
  };
}
