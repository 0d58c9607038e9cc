import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runJestIn } from './testing/run-jest-in.js';

const rootDir = mkdtempSync(join(tmpdir(), 'duework-open-'));
let said: string;
let code: number | null;

const files = {
  'leaks.test.mjs': `
    import { createServer } from 'node:net';
    import { once } from 'node:events';
    test('leaves a server and a timer', async () => {
      setInterval(() => {}, 60_000);
      await once(createServer().listen(0), 'listening');
    });`,
  'closes.test.mjs': `
    import { createServer } from 'node:net';
    import { once } from 'node:events';
    test('closes its server', async () => {
      const server = createServer().listen(0);
      await once(server, 'listening');
      server.close();
    });`,
};

/** Runs jest on these files as `npm test` does: in processes of its own, in the environment of this repository. */
beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(rootDir, name), text);
  const options = { testEnvironmentOptions: { leftOpenMs: 100 }, workerIdleMemoryLimit: '2GB', maxWorkers: 1 };
  ({ said, code } = await runJestIn(rootDir, options));
});
afterAll(() => rmSync(rootDir, { recursive: true }));

test('a file that leaves something open fails by its name, and with what it is, and one that closes all passes', () => {
  expect(said).toContain('FAIL ./leaks.test.mjs');
  expect(said).toContain('The tests of this file leave open: TCPServerWrap 1, Timeout 1.');
  expect(said).toContain('PASS ./closes.test.mjs');
  expect(said.match(/leave open: TCP/g)).toHaveLength(1);
  expect(code).toBe(1);
});
