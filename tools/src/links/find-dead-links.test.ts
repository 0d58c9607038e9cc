import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../bootstrap/paths.mjs';
import { findDeadLinks } from './find-dead-links.js';

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

test.each(pages)('every link of %s leads to a file', (path) => {
  expect(findDeadLinks(root, path, readFileSync(join(root, path), 'utf8'))).toEqual([]);
});

test('a link that leads nowhere is found, and one to another site is not followed', () => {
  const text = '[a](README.md) [b](docs/nowhere.md#top) [c](https://example.com/x) [d](#here)';
  expect(findDeadLinks(root, 'AGENTS.md', text)).toEqual(['docs/nowhere.md']);
});
