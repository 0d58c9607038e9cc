import type { Check } from '../lab.js';
import { makeConsumer } from '../make-consumer.js';
import { runCommand } from '../../../kit/run-command.js';

export const vitest: Check = {
  name: 'vitest',
  words: 'Vitest tests the same, in ESM',
  isQuick: false,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'vitest', { files: 'vitest', needs: ['vitest', 'zod'], type: 'module' });
    await runCommand(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], { cwd: dir });
    return 'passed';
  },
};
