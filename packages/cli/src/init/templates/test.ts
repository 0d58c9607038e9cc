import type { Project, TestRunner } from '../project.js';

const RUNNERS: Readonly<Record<TestRunner, { readonly imports: string; readonly expectation: string }>> = {
  vitest: {
    imports: `import { expect, test } from 'vitest';`,
    expectation: `expect(job).toMatchObject({ status: 'succeeded', result: { greeting: 'Hello, Ada!' } });`,
  },
  jest: {
    imports: `import { expect, test } from '@jest/globals';`,
    expectation: `expect(job).toMatchObject({ status: 'succeeded', result: { greeting: 'Hello, Ada!' } });`,
  },
  node: {
    imports: `import assert from 'node:assert/strict';\nimport { test } from 'node:test';`,
    expectation: `assert.equal(job.status, 'succeeded');\n  assert.deepEqual(job.result, { greeting: 'Hello, Ada!' });`,
  },
};

/** jobs/say-hello.test: a job from its payload to its result, without a database. */
export function testFile({ testRunner, importSuffix, installed }: Project): string {
  const { imports, expectation } = RUNNERS[testRunner];
  // jest's functions are global too, and only one of the two has types
  const isGlobal = testRunner === 'jest' && !installed.has('@jest/globals');
  return `${[
    isGlobal ? '' : imports,
    `import { createMemoryQueue, startTestWorker, waitForJob } from 'duework/testing';`,
  ]
    .filter((line) => line !== '')
    .join('\n')}
import { catalog, sayHello } from './contracts${importSuffix}';
import { handlers } from './handlers${importSuffix}';

test('the worker says hello', async () => {
  const queue = createMemoryQueue();
  const { worker } = await startTestWorker(queue, { catalog, handlers });
  const { id } = await queue.enqueue(sayHello, { name: 'Ada' });
  const job = await waitForJob(queue, id);
  await worker.stop({ deadlineMs: 0 });
  ${expectation}
});
`;
}
