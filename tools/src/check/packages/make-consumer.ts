import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand } from '../../../bootstrap/npm-command.mjs';
import { root } from '../../../bootstrap/paths.mjs';
import type { Lab } from '../../kit/run-packed.js';
import { type Pinned, VERSIONS } from './pinned-versions.js';
import { runCommand } from '../../kit/run-command.js';

export interface ConsumerOptions {
  /** A folder of tools/consumers, whose files it gets; none: it stays empty but for its package.json. */
  readonly files?: string;
  /** Which of the packages are installed; default: those of a producer and a worker. */
  readonly packages?: readonly string[];
  readonly needs?: readonly Pinned[];
  /** Dependencies by another name or in another version: `{ 'typescript-5.4': 'npm:typescript@5.4.5' }`. */
  readonly also?: Readonly<Record<string, string>>;
  readonly manager?: 'npm' | 'pnpm';
  readonly type?: 'commonjs' | 'module';
}

/** Makes a folder outside of the repository with a project in it, installs the packed packages there, and returns its path. */
export async function makeConsumer(lab: Lab, name: string, options: ConsumerOptions): Promise<string> {
  const dir = join(lab.dir, name);
  mkdirSync(dir, { recursive: true });
  if (options.files !== undefined) cpSync(join(root, 'tools/consumers', options.files), dir, { recursive: true });
  const packages = options.packages ?? ['duework', '@duework/contracts'];
  const dependencies = {
    ...Object.fromEntries(
      lab.packed.filter(({ name }) => packages.includes(name)).map((packed) => [packed.name, `file:${packed.tarball}`]),
    ),
    ...Object.fromEntries((options.needs ?? []).map((needed) => [needed, VERSIONS[needed]])),
    ...options.also,
  };
  const manifest = { name: `uses-duework-${name}`, private: true, type: options.type ?? 'commonjs', dependencies };
  writeFileSync(join(dir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  if (options.manager === 'pnpm') {
    // it would look for a workspace above, and for the version of pnpm that this one pins
    await runCommand(join(lab.pnpmDir, 'pnpm'), ['install', '--ignore-workspace', '--prefer-offline'], { cwd: dir });
  } else {
    const npm = npmCommand();
    const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    await runCommand(npm.command, [...npm.args, ...args], { cwd: dir });
  }
  return dir;
}
