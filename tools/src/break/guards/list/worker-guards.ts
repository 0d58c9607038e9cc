import type { Guard } from '../guard.js';
import { cut } from './places.js';

const worker = (file: string): string => `packages/worker/src/${file}`;

export const workerGuards: readonly Guard[] = [
  {
    name: 'worker-leaves',
    says: 'the process of a worker that was stopped ends, whatever the program has left open',
    edits: [cut(worker('run-worker.ts'), 'setTimeout(() => process.exit(), LEAVE_MS).unref();', 'void LEAVE_MS;')],
    tests: [{ file: worker('run-worker.test.ts'), title: 'a program that leaves a timer running still ends' }],
  },
  {
    name: 'stop-in-start',
    says: 'a worker that was stopped while it started claims nothing',
    edits: [cut(worker('create-runtime.ts'), '⟦if (!told.signal.aborted)⟧ await (workerStarts')],
    tests: [
      {
        file: worker('create-runtime.test.ts'),
        title: 'a worker that is stopped while its database is asked begins nothing more',
      },
    ],
  },
];
