import { join } from 'node:path';
import { type Check, entriesOf, type Lab } from '../lab.js';
import { makeConsumer } from '../make-consumer.js';
import { nodePackage } from '../pinned-versions.js';
import { runCommand } from '../../../kit/run-command.js';

export const load: Check = {
  name: 'load',
  words:
    'every entry by import and by require, with the same names, errors that either knows; on each line of Node without --quick',
  isQuick: true,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'load', {
      files: 'load',
      needs: ['pg', 'zod'],
      also: Object.fromEntries(lab.nodes.map((version) => [nodeName(version), nodePackage(version)])),
    });
    const entries = lab.packed.filter(({ name }) => LOADED.includes(name)).flatMap(entriesOf);
    for (const node of nodesOf(lab, dir)) await runCommand(node, ['load.mjs', ...entries], { cwd: dir });
    return `${entries.length} entries on Node ${[process.versions.node, ...lab.nodes].join(', ')}`;
  },
};

/** What is for development has a check of its own. */
const LOADED = ['duework', '@duework/contracts'];

const nodeName = (version: string): string => `node-${version}`;

const nodesOf = ({ nodes }: Lab, dir: string): string[] => [
  process.execPath,
  ...nodes.map((version) => join(dir, 'node_modules', nodeName(version), 'bin/node')),
];
