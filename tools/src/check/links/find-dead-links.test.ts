import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../../bootstrap/paths.mjs';
import { findDeadLinks } from './find-dead-links.js';

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

test.each(pages)('every link of %s leads to a file and a heading', (path) => {
  expect(findDeadLinks(root, path, readFileSync(join(root, path), 'utf8'))).toEqual([]);
});

test('a link to no file or no heading is found, and one to another site is not followed', () => {
  const text =
    '# Top\n[a](README.md) [b](docs/nowhere.md#top) [c](https://example.com/x) [d](#top) [e](#here) [f](README.md#no)';
  expect(findDeadLinks(root, 'AGENTS.md', text)).toEqual(['docs/nowhere.md#top', '#here', 'README.md#no']);
});

test('an anchor that a heading names itself counts as one, and is no part of its other', () => {
  const text = '## <a id="0012"></a>0012 · Once\n[a](#0012) [b](#0012--once) [c](#0013)';
  expect(findDeadLinks(root, 'AGENTS.md', text)).toEqual(['#0013']);
});
