import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { runCommand } from '../../kit/run-command.js';

/** Copies what is committed, with its history, into a folder, and installs it there. */
export async function copyCommitted(to: string, pnpmDir: string): Promise<void> {
  await runCommand('git', ['clone', '--quiet', root, to], { cwd: root });
  // pnpm, as it is here already
  const tools = '.duework/tools';
  if (existsSync(join(root, tools)))
    cpSync(join(root, tools), join(to, tools), { recursive: true, verbatimSymlinks: true });
  await runCommand(join(pnpmDir, 'pnpm'), ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: to });
}
