import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { npmCommand } from '../../../bootstrap/npm-command.mjs';
import { runCommand } from '../../kit/run-command.js';
import type { Lab } from '../../kit/run-packed.js';
import { nodePackage } from './pinned-versions.js';

/** Installs a version of Node beside the one that runs this, once, and returns the PATH on which it comes first. */
export async function installNode(lab: Pick<Lab, 'dir'>, version: string): Promise<string> {
  const dir = join(lab.dir, `node-${version}`);
  if (!existsSync(dir)) await installBeside(dir, `node@${nodePackage(version)}`);
  return [join(dir, 'node_modules/node/bin'), process.env.PATH].join(delimiter);
}

/** Installs a package in a folder of its own. */
export async function installBeside(dir: string, wanted: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{ "private": true }\n');
  const { command, args } = npmCommand();
  const install = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', wanted];
  await runCommand(command, [...args, ...install], { cwd: dir });
}
