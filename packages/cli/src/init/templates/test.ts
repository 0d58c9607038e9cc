import type { Project, TestRunner } from '../project.js';

const OUTCOME = `{ outcome: 'complete', result: { greeting: 'Hello, Ada!' } }`;
const EXPECTATION = `expect(performed).toEqual(${OUTCOME});`;

const RUNNERS: Readonly<Record<TestRunner, { readonly imports: string; readonly expectation: string }>> = {
  vitest: { imports: `import { expect, test } from 'vitest';`, expectation: EXPECTATION },
  jest: { imports: `import { expect, test } from '@jest/globals';`, expectation: EXPECTATION },
  node: {
    imports: `import assert from 'node:assert/strict';\nimport { test } from 'node:test';`,
    expectation: `assert.deepEqual(performed, ${OUTCOME});`,
  },
};

/** say-hello.test: a job from its payload to its result, without a database. */
export function testFile({ testRunner, importSuffix, installed, testDir, sourceDir }: Project): string {
  const { imports, expectation } = RUNNERS[testRunner];
  // jest's functions are global too, and only one of the two has types
  const isGlobal = testRunner === 'jest' && !installed.has('@jest/globals');
  const jobs = testDir === undefined ? '.' : `../${sourceDir}jobs`;
  return `${[isGlobal ? '' : imports, `import { performJob } from 'duework/testing';`]
    .filter((line) => line !== '')
    .join('\n')}
import { sayHello } from '${jobs}/contracts${importSuffix}';
import { handlers } from '${jobs}/handlers${importSuffix}';

test('the worker says hello', async () => {
  const performed = await performJob(sayHello, { name: 'Ada' }, handlers);
  ${expectation}
});
`;
}
