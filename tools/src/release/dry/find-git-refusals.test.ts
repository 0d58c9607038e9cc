import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findGitRefusals } from './find-git-refusals.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'duework-release-'));
  git('init', '--quiet');
  write('.changeset/README.md', 'for people');
  write('packages/duework/package.json', '{ "version": "0.2.0" }');
});
afterEach(() => rmSync(dir, { recursive: true }));

const PERSON = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
const git = (...args: readonly string[]): void => void execFileSync('git', [...PERSON, ...args], { cwd: dir });

function write(path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

function commit(): void {
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', 'a');
}

const told = (): void => write('packages/duework/CHANGELOG.md', '# duework\n\n## 0.2.0\n\nnews\n');

const UNTOLD = 'Nothing says what is new since 0.2.0: write a changeset with npx changeset.';

test('changesets that were committed can be released', async () => {
  write('.changeset/brave-dogs.md', 'news');
  commit();
  expect(await findGitRefusals(dir)).toEqual([]);
});

test('what was not committed is not released', async () => {
  write('.changeset/brave-dogs.md', 'news');
  commit();
  write('packages/duework/new.ts', '');
  expect(await findGitRefusals(dir)).toEqual([
    'What is released is what was committed, and this is not:\n?? packages/duework/new.ts',
  ]);
});

test('without a changeset nothing is released', async () => {
  commit();
  expect(await findGitRefusals(dir)).toEqual([UNTOLD]);
});

test('a version that its changelog tells of is released once', async () => {
  told();
  commit();
  expect(await findGitRefusals(dir)).toEqual([]);
  git('tag', 'v0.2.0');
  expect(await findGitRefusals(dir)).toEqual([]);
  commit();
  expect(await findGitRefusals(dir)).toEqual([UNTOLD]);
});

test('a tag publishes the version that it names, and no other', async () => {
  told();
  commit();
  expect(await findGitRefusals(dir, 'v0.2.0')).toEqual([]);
  expect(await findGitRefusals(dir, 'v0.3.0')).toEqual(['The tag v0.3.0 is not that of the version, 0.2.0.']);
  write('.changeset/brave-dogs.md', 'news');
  commit();
  expect(await findGitRefusals(dir, 'v0.3.0')).toEqual([
    'v0.3.0 has changesets that are no version yet: npm run release -- version',
  ]);
});
