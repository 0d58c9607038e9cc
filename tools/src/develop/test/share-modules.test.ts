import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PARTS, runJestIn } from './testing/run-jest-in.js';

const rootDir = mkdtempSync(join(tmpdir(), 'duework-shared-'));
let said: string;
let code: number | null;

const file = `
  import { seen } from 'kept';
  await import('./own.mjs');
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
  ({ said, code } = await runJestIn(rootDir, { runtime: join(PARTS, 'share-modules.cjs') }, '--runInBand'));
});
afterAll(() => rmSync(rootDir, { recursive: true }));

test('a module of node_modules is loaded once for two files; their own, their variables, listeners and clocks are of each', () => {
  expect(said).toContain('file 1 of those that have it');
  expect(said).toContain('file 2 of those that have it');
  expect(said).toContain('2 passed, 2 total');
  expect(code).toBe(0);
});
