import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import type { Check, Lab } from '../lab.js';
import { makeConsumer } from '../make-consumer.js';
import { runCommand } from '../../../kit/run-command.js';

const PROGRAM = `const { enqueue } = require('duework'); if (typeof enqueue !== 'function') process.exit(1);`;

export const install: Check = {
  name: 'install',
  words: 'npm and pnpm install the packages into an empty folder, with nothing else, and they load',
  isQuick: true,
  run: async (lab) => {
    const found = [await installWith(lab, 'npm'), await installWith(lab, 'pnpm')];
    return found.join(', ');
  },
};

async function installWith(lab: Lab, manager: 'npm' | 'pnpm'): Promise<string> {
  const begun = performance.now();
  const dir = await makeConsumer(lab, `install-${manager}`, { manager });
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const brought = readdirSync(join(dir, 'node_modules')).filter((name) => !name.startsWith('.'));
  const unasked = brought.filter((name) => name !== 'duework' && name !== '@duework');
  if (unasked.length > 0) throw new PlainError(`${manager} also installed ${unasked.join(', ')}.`);
  await runCommand(process.execPath, ['-e', PROGRAM], { cwd: dir });
  return `${manager} ${seconds} s`;
}
