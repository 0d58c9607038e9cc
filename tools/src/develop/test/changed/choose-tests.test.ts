import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { root } from '../../../../bootstrap/paths.mjs';
import { chooseTests, fit, readSlowTests, SMOKE } from './choose-tests.js';
import { describeChosen } from './describe-chosen.js';
import { findAffectedTests } from './find-affected-tests.js';
import { findChangedFiles } from './find-changed-files.js';
import { readMentions } from './read-mentions.js';

let dir: string;
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: dir, encoding: 'utf8' });
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
};
const commit = (): void => {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'x');
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'duework-changed-'));
  git('init', '--quiet', '--initial-branch', 'main');
  write('packages/a/package.json', `{ "name": "@duework/a", "exports": { ".": { "default": "./dist/index.js" } } }`);
  write('packages/a/src/index.ts', `export { add } from './add.js';`);
  write('packages/a/src/add.ts', 'export const add = 1;');
  write('packages/a/src/add.test.ts', `import { add } from './add.js';`);
  write('packages/b/src/use.test.ts', `import { add } from '@duework/a';`);
  write('packages/b/src/main.ts', `import '@duework/a';`);
  write('packages/b/src/program.test.ts', `const main = new URL('../dist/main.js', import.meta.url);`);
  write('packages/b/src/other.test.ts', `import { other } from './other.js';`);
  write('tools/src/develop/test/changed/slow-tests.json', '{}');
  commit();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('what has changed is what differs from where the branch left main: committed, not committed, and new', () => {
  git('checkout', '--quiet', '-b', 'side');
  write('packages/a/src/committed.ts', '');
  commit();
  git('checkout', '--quiet', 'main');
  write('packages/a/src/of-others.ts', '');
  commit();
  git('checkout', '--quiet', 'side');
  write('packages/a/src/add.ts', 'export const add = 2;');
  write('packages/a/src/new.ts', '');
  const changed = ['add', 'committed', 'new'].map((name) => `packages/a/src/${name}.ts`);
  expect(findChangedFiles(dir)).toEqual(changed);
});

test('a test is affected through imports, names of packages and programs that it starts, and the nearest comes first', () => {
  expect(findAffectedTests(['packages/a/src/add.ts'], readMentions(dir))).toEqual([
    { path: 'packages/a/src/add.test.ts', steps: 1 },
    { path: 'packages/b/src/use.test.ts', steps: 2 },
    { path: 'packages/b/src/program.test.ts', steps: 3 },
  ]);
});

test('a migration concerns every test: a few of each kind come first', () => {
  write('prisma/migrations/1/migration.sql', 'SELECT 1');
  const chosen = chooseTests(dir);
  expect(chosen).toMatchObject({ changed: 1, everywhere: 'prisma/migrations/1/migration.sql' });
  expect(chosen.affected).toEqual(expect.arrayContaining([...SMOKE, 'packages/b/src/other.test.ts']));
  expect(chosen.chosen).toEqual(SMOKE);
  expect(describeChosen(chosen, false)).toContain('Every test depends on prisma/migrations/1/migration.sql');
});

test('what no test depends on runs none', () => {
  write('docs/page.md', '');
  const chosen = chooseTests(dir);
  expect(chosen.chosen).toEqual([]);
  expect(describeChosen(chosen, false)).toBe('1 file has changed since main, which no test depends on.\n');
});

test('as many run as two minutes are enough for, and what changed itself in any case', () => {
  const many = Array.from({ length: 200 }, (_, n) => `${n}.test.ts`);
  const chosen = fit(many, { '0.test.ts': 100, '1.test.ts': 150 });
  expect(chosen.slice(0, 2)).toEqual(['0.test.ts', '2.test.ts']);
  expect(chosen).toHaveLength(41);
  expect(fit(['long.test.ts'], { 'long.test.ts': 300 })).toEqual(['long.test.ts']);
  expect(describeChosen({ changed: 2, everywhere: undefined, affected: many, chosen }, false)).toContain(
    '41 of 200 run, the nearest',
  );
});

test('the tests of each kind and the slow ones are there, and a program of the product leads to its tests', () => {
  const mentions = readMentions(root);
  for (const path of [...SMOKE, ...Object.keys(readSlowTests(root))])
    expect([path, mentions.has(path)]).toEqual([path, true]);
  const paths = findAffectedTests(['apps/worker/src/main.ts'], mentions).map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['apps/worker/src/main.test.ts', 'tools/src/console/jobs.test.ts']));
  // all of them, whatever else has changed
  expect(fit(SMOKE, readSlowTests(root))).toEqual(SMOKE);
});
