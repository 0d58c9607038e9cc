import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import SlowFirst from './start-slow-first.js';

const cacheDirectory = mkdtempSync(join(tmpdir(), 'duework-order-'));
afterAll(() => rmSync(cacheDirectory, { recursive: true }));

type Options = ConstructorParameters<typeof SlowFirst>[0];
type Tests = Parameters<SlowFirst['sort']>[0];
const sizes: Readonly<Record<string, number>> = {
  '/repo/packages/a/src/tools.test.ts': 3,
  '/repo/packages/a/src/large.test.ts': 9,
  '/repo/tools/src/console/show.test.ts': 1,
  '/repo/apps/worker/src/crash.test.ts': 2,
  '/repo/tools/src/check/links.test.ts': 2,
};

test('where nothing was ever run, those known to be slow come first, the tests of the tools, and all others by their size', async () => {
  const context = {
    config: { id: 'order', cacheDirectory },
    hasteFS: { getSize: (path: string) => sizes[path] },
  } as unknown as Tests[number]['context'];
  const sequencer = new SlowFirst({ contexts: [context], globalConfig: {} } as unknown as Options);
  const sorted = await sequencer.sort(Object.keys(sizes).map((path) => ({ path, context })));
  expect(sorted.map(({ path }) => path)).toEqual([
    '/repo/tools/src/console/show.test.ts',
    '/repo/apps/worker/src/crash.test.ts',
    '/repo/tools/src/check/links.test.ts',
    '/repo/packages/a/src/large.test.ts',
    '/repo/packages/a/src/tools.test.ts',
  ]);
});
