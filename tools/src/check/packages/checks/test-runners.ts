import type { Check } from '../../../kit/run-packed.js';
import { makeConsumer } from '../make-consumer.js';
import { runCommand } from '../../../kit/run-command.js';

export const jest: Check = {
  name: 'jest',
  words: 'Jest in CommonJS, with ts-jest and with @swc/jest, tests a contract, a handler and what a service enqueues',
  isQuick: false,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'jest', {
      files: 'jest',
      needs: ['@swc/core', '@swc/jest', '@types/jest', '@types/node', 'jest', 'ts-jest', 'typescript', 'zod'],
    });
    const program = 'node_modules/jest/bin/jest.js';
    for (const config of ['jest.ts-jest.json', 'jest.swc.json'])
      await runCommand(process.execPath, [program, '--config', config], { cwd: dir });
    return 'ts-jest, @swc/jest';
  },
};

export const vitest: Check = {
  name: 'vitest',
  words: 'Vitest tests the same, in ESM',
  isQuick: false,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'vitest', { files: 'jest', needs: ['vitest', 'zod'], type: 'module' });
    await runCommand(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--globals'], { cwd: dir });
    return 'passed';
  },
};
