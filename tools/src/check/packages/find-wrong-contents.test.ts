import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findWrongContents } from './find-wrong-contents.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'duework-contents-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const GOOD = {
  'package.json': '{}',
  'README.md': '',
  LICENSE: '',
  'out/index.js': `import { a } from "./shared.js";\nimport pg from "pg";\nconst text = 'import x from "of a text"';`,
  'out/shared.js': 'export const a = 1;',
  'out/index.d.ts': `export * from "./index.cjs";`,
  'out/index.d.cts': '',
};

function findIn(files: Readonly<Record<string, string>>, manifest: object = {}): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const given = { name: 'duework', version: '1.0.0', exports: {}, ...manifest };
  return findWrongContents({ folder, files: Object.keys(files).map((path) => ({ path, bytes: 0 })), manifest: given });
}

test('a package that is as it should be has nothing wrong', () => {
  expect(findIn(GOOD)).toEqual([]);
});

test.each<[string, Record<string, string>, object]>([
  ['it depends on croner', {}, { dependencies: { croner: '1' } }],
  ['it depends on croner', {}, { name: '@duework/embedded', dependencies: { croner: '1', pg: '8' } }],
  ['its package.json says workspace:', { 'package.json': '{ "devDependencies": { "a": "workspace:*" } }' }, {}],
  ['its package.json says catalog:', { 'package.json': '{ "peerDependencies": { "a": "catalog:" } }' }, {}],
  [
    'its template/package.json says catalog:',
    { 'template/package.json': '{ "dependencies": { "a": "catalog:" } }' },
    {},
  ],
  ['out/enqueue.test.js is inside', { 'out/enqueue.test.js': '' }, {}],
  ['out/index.js.map is inside', { 'out/index.js.map': '' }, {}],
  ['src/index.ts is inside', { 'src/index.ts': '' }, {}],
  ['out/a.js imports ./gone.js, which users do not have', { 'out/a.js': `import "./gone.js";` }, {}],
  ['out/a.cjs imports ./gone.cjs, which users do not have', { 'out/a.cjs': `let gone = require("./gone.cjs");` }, {}],
  [
    'out/a.js imports @duework/queue-core, which users do not have',
    { 'out/a.js': `export * from "@duework/queue-core";` },
    {},
  ],
  ['out/a.d.cts imports pg, which users do not have', { 'out/a.d.cts': `import { B } from "pg";` }, {}],
])('a package is refused when %s', (what, files, manifest) => {
  expect(findIn({ ...GOOD, ...files }, manifest)).toEqual([what]);
});

test('a template has sources, tests and packages of its own', () => {
  const template = {
    'template/package.json': '{ "dependencies": { "a": "workspace:*" } }',
    'template/src/a.test.ts': `import "./gone.js";`,
  };
  expect(findIn({ ...GOOD, ...template })).toEqual([]);
});

test('a package without its licence is refused', () => {
  const { LICENSE: _, ...others } = GOOD;
  expect(findIn(others)).toEqual(['there is no LICENSE']);
});
