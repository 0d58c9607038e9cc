import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { watchOpen } from './watch-open.js';

test('what has ended is not told, even if it takes a moment', async () => {
  const findLeft = watchOpen();
  setTimeout(() => {}, 50);
  expect(await findLeft()).toEqual([]);
});

test('what stays open is told by its kind, and what was open before is not', async () => {
  const before = setInterval(() => {}, 60_000);
  const findLeft = watchOpen(50);
  const servers = [createServer().listen(0), createServer().listen(0)];
  expect(await findLeft()).toEqual(['TCPServerWrap 2']);
  for (const server of servers) server.close();
  expect(await findLeft()).toEqual([]);
  clearInterval(before);
});
