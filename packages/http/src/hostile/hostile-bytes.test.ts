import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { fuzz } from '@duework/database/testing';
import fc from 'fast-check';
import { createServer } from '../http/server/create-server.js';
import { listenOn } from '../http/server/listen-on.js';
import { stopServer } from '../http/server/stop-server.js';
import { useTestApi } from '../testing/use-test-api.js';

const api = useTestApi();
const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

/**
 * Sends the bytes as they are and resolves with what the server writes until it closes; the client ends its side unless
 * `isHeld`.
 */
async function talk(
  bytes: Uint8Array | string,
  { port = Number(new URL(api.url).port), isHeld = false } = {},
): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  // a server that cuts the connection has already sent its whole answer
  socket.on('error', () => {});
  if (isHeld) socket.write(bytes);
  else socket.end(bytes);
  await Promise.race([once(socket, 'end'), once(socket, 'close')]).catch(() => {});
  socket.destroy();
  return text;
}

function expectProblem(text: string, status: number, code: string): void {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toContain('Content-Type: application/problem+json');
  expect(JSON.parse(body)).toMatchObject({ status, code, errors: [], requestId: expect.any(String) });
}

describe('a server that receives bytes which are no request', () => {
  test.each<[string, string, number, string]>([
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400, 'malformed_request'],
    ['a method that is none', 'BREW /v1/jobs HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
    ['a version that is none', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n', 400, 'malformed_request'],
    [
      'a length that is no number',
      'POST /v1/jobs HTTP/1.1\r\nHost: a\r\nContent-Length: 1e3\r\n\r\n',
      400,
      'malformed_request',
    ],
    ['a negative length', 'POST /v1/jobs HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400, 'malformed_request'],
    [
      'two lengths',
      'POST /v1/jobs HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'a length and chunks',
      'POST /v1/jobs HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'malformed_request',
    ],
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['an address over 16 KiB', `GET /?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'headers_too_large'],
  ])('answers with a problem: %s', async (_, bytes, status, code) => {
    expectProblem(await talk(Buffer.from(bytes, 'latin1')), status, code);
  });

  test('answers below 500 or ends the connection, whatever the bytes are, and answers the next request', async () => {
    const token = fc.constantFrom(
      'GET',
      'POST',
      'TRACE',
      'CONNECT',
      'HEAD',
      ' ',
      '/',
      '/v1/jobs',
      '*',
      'http://evil/',
      'HTTP/1.1',
      'HTTP/1.0',
      'HTTP/2.0',
      '\r\n',
      '\n',
      '\r\n\r\n',
      'Host: a',
      'Content-Length: 5',
      'Transfer-Encoding: chunked',
      'Expect: 100-continue',
      'Expect: x',
      'Connection: upgrade',
      'Upgrade: websocket',
      'Content-Type: application/json',
      '{}',
      '5\r\nhello\r\n',
      '0\r\n\r\n',
      'ffffffffffffffff\r\n',
    );
    const bytes = fc
      .array(fc.oneof({ arbitrary: token, weight: 5 }, fc.string({ unit: 'binary', maxLength: 10 })), { maxLength: 20 })
      .map((parts) => parts.join(''));
    const request = fc
      .tuple(
        fc.constantFrom('GET', 'POST', 'TRACE', 'OPTIONS', 'CONNECT'),
        fc.constantFrom('/v1/jobs', '*', '//', 'http://[', '/%', '/v1/jobs?%'),
        bytes,
      )
      .map(([method, path, rest]) => `${method} ${path} HTTP/1.1\r\nHost: a\r\n${rest}\r\n\r\n`);
    await fuzz(
      fc.asyncProperty(fc.oneof(bytes, request), async (text) => {
        const answer = await talk(text);
        for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)) expect(Number(status)).toBeLessThan(500);
        expect((await api.get('/livez')).status).toBe(200);
      }),
      40,
    );
    expect(api.logged.filter(({ msg }) => msg === 'request.failed')).toEqual([]);
  });
});

test('closes the connection of a client that sends only a byte now and then', async () => {
  const server = createServer(
    { fetch: () => new Response('never') },
    { headersMs: 200, requestMs: 400, readMs: 120_000 },
  );
  const port = await listenOn(server, '127.0.0.1', 0);
  stops.push(() => stopServer(server, 100));
  const head = 'POST /v1/jobs HTTP/1.1\r\nHost: a\r\n';
  expectProblem(await talk(`${head}X-Slow: `, { port, isHeld: true }), 408, 'request_timeout');
});
