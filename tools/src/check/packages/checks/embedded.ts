import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../bootstrap/paths.mjs';
import { entriesOf } from '../../../kit/packed.js';
import type { Check } from '../../../kit/run-packed.js';
import { makeConsumer } from '../make-consumer.js';
import { runCommand } from '../../../kit/run-command.js';

export const embedded: Check = {
  name: 'embedded',
  words:
    '@duework/embedded starts a PostgreSQL for a test run, and a test file drains a job in its own clone: in Jest (CommonJS), and in Vitest (ESM)',
  isQuick: true,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'embedded', {
      files: 'embedded',
      packages: ['duework', '@duework/contracts', '@duework/embedded'],
      needs: ['jest', 'pg', 'vitest', 'zod'],
    });
    const entries = lab.packed.filter(({ name }) => name === '@duework/embedded').flatMap(entriesOf);
    cpSync(join(root, 'tools/consumers/load/load.mjs'), join(dir, 'load.mjs'));
    await runCommand(process.execPath, ['load.mjs', ...entries], { cwd: dir });
    for (const program of [['node_modules/jest/bin/jest.js'], ['node_modules/vitest/vitest.mjs', 'run']])
      await runCommand(process.execPath, program, { cwd: dir });
    return `${entries.length} entries; Jest in CommonJS, Vitest in ESM`;
  },
};
