import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../../bootstrap/paths.mjs';
import { findUnshown } from './find-unshown.js';
import { FEATURES } from './list-features.js';

const CONFORMANCE = join(root, 'packages/testing/src/conformance');
const read = (path: string): string => readFileSync(path, 'utf8');

/** The source of a test file, and of what it has its tests from: modules beside it, the conformance of stores. */
function sourceOf(file: string): string {
  const source = read(join(root, file));
  const beside = [...source.matchAll(/from '(\.[^']+)\.js'/g)].map(([, path]) =>
    join(root, dirname(file), `${path}.ts`),
  );
  const cases = source.includes('/conformance')
    ? readdirSync(CONFORMANCE, { recursive: true, encoding: 'utf8' }).map((name) => join(CONFORMANCE, name))
    : [];
  return [source, ...[...beside, ...cases].filter((path) => path.endsWith('.ts')).map(read)].join('\n');
}

test('each feature names a test that is there, and no two have one name', () => {
  expect(FEATURES.filter(([, file, words]) => words === '' || !sourceOf(file).includes(words))).toEqual([]);
  expect(new Set(FEATURES.map(([name]) => name)).size).toBe(FEATURES.length);
});

test('a feature is not shown whose test is gone, was left out, or has failed', () => {
  const features = ['passes', 'fails', 'left out', 'gone'].map((name) => [name, 'a.test.ts', name] as const);
  const assertionResults = [
    { fullName: 'it passes', status: 'passed' },
    { fullName: 'it fails', status: 'failed' },
    { fullName: 'it is left out', status: 'pending' },
  ];
  const unshown = findUnshown(features, { testResults: [{ name: '/repository/a.test.ts', assertionResults }] });
  expect(unshown.map(([name]) => name)).toEqual(['fails', 'left out', 'gone']);
});
