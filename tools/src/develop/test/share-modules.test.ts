import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '../../../bootstrap/paths.mjs';

const rootDir = mkdtempSync(join(tmpdir(), 'duework-shared-'));
let said = '';
let code: number | null = null;

const file = `
  import { seen } from 'kept';
  import './own.mjs';
  test('begins as if it were alone', () => {
    seen.files++;
    expect(seen.own).toBe(seen.files);
    expect(process.env.LEFT).toBeUndefined();
    expect(process.listenerCount('SIGHUP')).toBe(0);
    expect(Date.now()).toBeLessThan(performance.timeOrigin + performance.now() + 60_000);
    expect(new Date().getTime()).toBeLessThan(performance.timeOrigin + performance.now() + 60_000);
    process.env.LEFT = 'by this file';
    process.on('SIGHUP', () => {});
    const [now, Real] = [Date.now, Date];
    Date.now = () => now() + 120_000;
    globalThis.Date = class extends Real { constructor() { super(now() + 120_000); } };
    console.log('file ' + seen.files + ' of those that have it');
  });`;

beforeAll(async () => {
  const folder = join(rootDir, 'node_modules', 'kept');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "kept", "type": "module", "exports": "./index.js" }');
  writeFileSync(join(folder, 'index.js'), 'export const seen = { own: 0, files: 0 };');
  writeFileSync(join(rootDir, 'own.mjs'), "import { seen } from 'kept'; seen.own++;");
  for (const name of ['a', 'b']) writeFileSync(join(rootDir, `${name}.test.mjs`), file);
  const config = {
    rootDir,
    testMatch: ['**/*.test.mjs'],
    transform: {},
    testEnvironment: join(root, 'tools/dist/src/develop/test/strict-environment.js'),
    runtime: join(root, 'tools/dist/src/develop/test/share-modules.cjs'),
  };
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const args = [jest, '--runInBand', '--config', JSON.stringify(config)];
  const child = spawn(process.execPath, args, { cwd: rootDir, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  code = await new Promise((resolve) => child.on('close', resolve));
});
afterAll(() => rmSync(rootDir, { recursive: true }));

test('a module of node_modules is loaded once for two files; their own, their variables, listeners and clocks are of each', () => {
  expect(said).toContain('file 1 of those that have it');
  expect(said).toContain('file 2 of those that have it');
  expect(said).toContain('2 passed, 2 total');
  expect(code).toBe(0);
});
