import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { findFences, tellProblems, writeFences } from './write-fences.js';

const dir = mkdtempSync(join(tmpdir(), 'duework-fences-'));
afterAll(() => rmSync(dir, { recursive: true }));

const page = [
  '# A page',
  '<!-- file: jobs/a.ts -->',
  '',
  '```ts',
  'export const a = 1;',
  '```',
  '```sh',
  'ls',
  '```',
  '```ts [Prisma]',
  'a satisfies string;',
  '```',
  '```js',
  'const b = 2;',
  '```',
];

test('the fences of TypeScript and JavaScript are found with their lines, and no other fence', () => {
  expect(findFences(page.join('\n'))).toEqual([
    { line: 5, code: 'export const a = 1;', ending: 'ts' },
    { line: 11, code: 'a satisfies string;', ending: 'ts' },
    { line: 14, code: 'const b = 2;', ending: 'js' },
  ]);
});

test('a fence with a name can be imported by it', () => {
  writeFences(dir, [{ path: 'docs/a-page.md', markdown: page.join('\n') }]);
  expect(readFileSync(join(dir, 'docs-a-page/jobs/a.ts'), 'utf8')).toContain('export const a = 1;');
  expect(existsSync(join(dir, 'docs-a-page/line-11.ts'))).toBe(true);
  expect(existsSync(join(dir, 'docs-a-page/line-14.js'))).toBe(true);
});

test('a problem is told with the page and the line in it', () => {
  const places = writeFences(dir, [{ path: 'docs/a-page.md', markdown: page.join('\n') }]);
  expect(tellProblems('docs-a-page/line-11.ts(1,3): error TS1: No.\nother.ts(1,1): error TS2: No.\n', places)).toEqual([
    'docs/a-page.md:11:3  error TS1: No.',
    'other.ts(1,1): error TS2: No.',
  ]);
});
