import type { Guard } from '../guard.js';
import { cut } from './places.js';

export const commandGuards: readonly Guard[] = [
  {
    name: 'init-keep',
    says: 'init leaves a file that says something else as it is',
    edits: [cut('packages/cli/src/init/plan-changes.ts', 'init-keep')],
    tests: [
      {
        file: 'packages/cli/src/init/init.test.ts',
        title: 'what a person has written stays, in files and in package.json',
      },
    ],
  },
];
