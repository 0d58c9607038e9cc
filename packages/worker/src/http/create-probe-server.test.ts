import { afterEach, expect, test } from '@jest/globals';
import { createProbeServer } from './create-probe-server.js';
import { listenOn } from './listen-on.js';

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

/** @param reached the address that connections are made to: a machine for tests need not have another one */
async function serve(isForProbesAlone: boolean, reached: string): Promise<(path: string) => Promise<[number, string]>> {
  const server = createProbeServer({
    registry: { metrics: async () => 'duework_up 1\n', contentType: 'text/plain' },
    refreshGauges: async () => {},
    readReadiness: async (isVerbose) => ({ status: 'ready', ...(isVerbose && { shards: {} }) }),
    log: { error: () => {} },
    isForProbesAlone,
  });
  server.prependListener('connection', (socket) => Object.defineProperty(socket, 'localAddress', { value: reached }));
  stops.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const port = await listenOn(server, { host: '127.0.0.1', port: 0, isFixed: true, variable: 'WORKER_PORT' });
  return async (path) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return [response.status, await response.text()];
  };
}

const METRICS = [200, 'duework_up 1\n'];
const VERBOSE = [200, '{"status":"ready","shards":{}}'];

test.each(['10.244.1.7', '::ffff:10.244.1.7', 'fd00:10::7'])(
  'where nobody has asked for an address, others learn whether the worker lives and claims, and no more: %s',
  async (reached) => {
    const ask = await serve(true, reached);
    expect(await ask('/livez')).toEqual([200, '{"status":"live"}']);
    expect(await ask('/readyz')).toEqual([200, '{"status":"ready"}']);
    expect(await ask('/readyz?verbose')).toEqual([200, '{"status":"ready"}']);
    expect(await ask('/metrics')).toEqual([403, expect.stringContaining('HOST=0.0.0.0')]);
  },
);

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('there its own machine sees everything: %s', async (reached) => {
  const ask = await serve(true, reached);
  expect([await ask('/metrics'), await ask('/readyz?verbose')]).toEqual([METRICS, VERBOSE]);
});

test('where somebody has asked for an address, it shows everything there', async () => {
  const ask = await serve(false, '10.244.1.7');
  expect([await ask('/metrics'), await ask('/readyz?verbose')]).toEqual([METRICS, VERBOSE]);
});
