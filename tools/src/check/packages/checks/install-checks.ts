import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { runCommand } from '../../../kit/run-command.js';
import { entriesOf } from '../../../kit/packed.js';
import type { Check, Lab } from '../../../kit/run-packed.js';
import { makeConsumer } from '../make-consumer.js';
import { nodePackage, NODES } from '../pinned-versions.js';

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

export const load: Check = {
  name: 'load',
  words:
    'every entry by import and by require, with the same names, errors that either knows; on each line of Node without --quick',
  isQuick: true,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'load', {
      files: 'load',
      needs: ['pg', 'zod'],
      also: Object.fromEntries(besides(lab).map((version) => [nodeName(version), nodePackage(version)])),
    });
    const entries = lab.packed.filter(({ name }) => LOADED.includes(name)).flatMap(entriesOf);
    for (const node of nodesOf(lab, dir)) await runCommand(node, ['load.mjs', ...entries], { cwd: dir });
    return `${entries.length} entries on Node ${[process.versions.node, ...besides(lab)].join(', ')}`;
  },
};

/** What is for development has a check of its own. */
const LOADED = ['duework', '@duework/contracts'];

const nodeName = (version: string): string => `node-${version}`;

/** Versions of Node besides this one. */
const besides = ({ isQuick }: Lab): readonly string[] => (isQuick ? [] : NODES);

const nodesOf = (lab: Lab, dir: string): string[] => [
  process.execPath,
  ...besides(lab).map((version) => join(dir, 'node_modules', nodeName(version), 'bin/node')),
];
