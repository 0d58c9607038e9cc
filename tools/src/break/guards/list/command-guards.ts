import type { Guard } from '../guard.js';
import { cut } from './places.js';

export const commandGuards: readonly Guard[] = [
  {
    name: 'init-keep',
    says: 'init leaves a file that says something else as it is',
    edits: [
      cut(
        'packages/cli/src/init/plan-changes.ts',
        "if (before !== undefined) return { path, kind: 'keep', before, after: before };",
      ),
    ],
    tests: [
      {
        file: 'packages/cli/src/init/init.test.ts',
        title: 'what a person has written stays, in files and in package.json',
      },
    ],
  },
  {
    name: 'client-retries',
    says: 'a request that acts is not sent again unless the server knows it by its key',
    edits: [
      cut(
        'packages/client/src/send-request.ts',
        "const isSafe = request.method === 'GET' || request.requestKey !== undefined;",
        'const isSafe = true;',
      ),
    ],
    tests: [{ file: 'packages/client/src/client.test.ts', title: 'is not sent again when it acts and has no key' }],
  },
];
