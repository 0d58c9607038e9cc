import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runJestIn } from './testing/run-jest-in.js';

const rootDir = mkdtempSync(join(tmpdir(), 'duework-warning-'));
const OUTSIDE = 'Test suite failed to run';
let said: string;
let code: number | null;

const tests = `
  import { spawn } from 'node:child_process';
  import { EventEmitter, once } from 'node:events';
  import { Worker } from 'node:worker_threads';
  test('quiet', () => {});
  test('its own', () => process.emitWarning('of the test'));
  test('of node', () => { const bus = new EventEmitter(); for (let n = 0; n < 11; n++) bus.on('stop', () => {}); });
  test('of a thread', () => once(new Worker('process.emitWarning("of the thread")', { eval: true }), 'exit'));
  test('of a child', () =>
    once(spawn(process.execPath, ['-e', 'process.emitWarning("of the child", { code: "DW1" })'], { env: {} }), 'exit'));
  test('of a grandchild', () =>
    once(spawn('/bin/sh', ['-c', '"$0" -e "process.emitWarning(\\'of the grandchild\\')"', process.execPath], { env: {} }), 'exit'));
  afterAll(() => process.emitWarning('after all tests'));`;

/** Runs jest on the tests above, in the environment that every test of this repository has. */
beforeAll(async () => {
  writeFileSync(join(rootDir, 'warns.test.mjs'), tests);
  ({ said, code } = await runJestIn(rootDir, {}, '--runInBand'));
});
afterAll(() => rmSync(rootDir, { recursive: true }));

test('a test fails of each warning of its process, its threads and its children, and no other test does', () => {
  const failed = new Set([...said.matchAll(/^ {2}● (.+)$/gm)].map(([, name]) => name));
  expect([...failed]).toEqual(['its own', 'of node', 'of a thread', 'of a child', 'of a grandchild', OUTSIDE]);
  expect(said).toContain('5 failed, 1 passed, 6 total');
  expect(code).toBe(1);
});

test.each([
  ['Warning: of the test', /\(warns\.test\.mjs:6:/],
  ['MaxListenersExceededWarning: Possible EventEmitter memory leak', /\(warns\.test\.mjs:7:/],
  ['Warning: of the thread', /\(thread of process \d+: \[worker eval\]\)/],
  ['Warning DW1: of the child', /at \[eval\]:1:/],
  ['Warning: of the grandchild', /at \[eval\]:1:/],
])('the failure names the warning, %s, and where it came from', (warning, place) => {
  const failure = said.split('  ● ').find((text) => text.includes(`: ${warning}`) && text.includes('A warning came'));
  expect(failure).toMatch(place);
});

test('a warning outside of any test fails the file', () => {
  expect(said.slice(said.indexOf(OUTSIDE))).toMatch(/^.+\s+A warning came .+: Warning: after all tests/);
});
