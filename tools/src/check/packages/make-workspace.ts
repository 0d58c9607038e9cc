import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand } from '../../../bootstrap/npm-command.mjs';
import { root } from '../../../bootstrap/paths.mjs';
import { runCommand } from '../../kit/run-command.js';
import { compilers } from './compilers.js';
import type { Lab } from './lab.js';
import { MANAGERS, type Pinned, VERSIONS } from './pinned-versions.js';

export type Manager = 'pnpm' | keyof typeof MANAGERS;

const FOLDERS = ['.', 'packages/contracts', 'apps/api', 'apps/worker', 'apps/page'];
const INSTALL: Readonly<Record<string, readonly string[]>> = {
  npm: ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
  pnpm: ['install', '--prefer-offline', '--no-frozen-lockfile'],
  yarn: ['install', '--non-interactive'],
  'yarn 4': ['install', '--no-immutable'],
};

/**
 * Copies the workspace of tools/consumers out of the repository, installs it with the packed packages by one manager, and
 * returns its folder. `*` of its manifests is the packed package, or the pinned version.
 *
 * @param more what the root needs besides
 */
export async function makeWorkspace(
  lab: Lab,
  manager: Manager,
  versions: readonly string[],
  more: readonly Pinned[] = [],
): Promise<string> {
  const dir = join(lab.dir, `workspace-${manager.replace(' ', '-')}`);
  cpSync(join(root, 'tools/consumers/workspace'), dir, { recursive: true });
  for (const folder of FOLDERS) {
    const path = join(dir, folder, 'package.json');
    const given = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const manifest = { ...given, ...resolve(lab, manager, given['dependencies'], 'dependencies') };
    const atRoot =
      folder === '.' ? { ...compilers(versions), ...Object.fromEntries(more.map((name) => [name, '*'])) } : {};
    const development = { ...(given['devDependencies'] as object | undefined), ...atRoot };
    Object.assign(manifest, resolve(lab, manager, development, 'devDependencies'));
    writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
  }
  // the newest yarn has no node_modules unless it is told so
  if (manager === 'yarn 4')
    writeFileSync(join(dir, '.yarnrc.yml'), 'nodeLinker: node-modules\nenableTelemetry: false\n');
  const { command, args } = await findManager(lab, manager);
  const install = INSTALL[manager] ?? INSTALL[manager.split(' ')[0]!]!;
  await runCommand(command, [...args, ...install], { cwd: dir });
  return dir;
}

function resolve(lab: Lab, manager: Manager, given: unknown, key: string): object {
  const versions = Object.entries((given ?? {}) as Record<string, string>).map(([name, version]) => {
    // npm and yarn 1 find a package of the workspace by its version
    if (version.startsWith('workspace:')) return [name, manager === 'npm' || manager === 'yarn 1' ? '1.0.0' : version];
    const packed = lab.packed.find((each) => each.name === name);
    const wanted = packed === undefined ? VERSIONS[name as Pinned] : `file:${packed.tarball}`;
    return [name, version === '*' ? wanted : version];
  });
  return versions.length === 0 ? {} : { [key]: Object.fromEntries(versions) as object };
}

/** The program of a manager; those that the repository does not have are installed beside. */
async function findManager(lab: Lab, manager: Manager): Promise<{ command: string; args: readonly string[] }> {
  if (manager === 'pnpm') return { command: join(lab.pnpmDir, 'pnpm'), args: [] };
  const npm = npmCommand();
  const wanted = MANAGERS[manager];
  if (wanted === null) return npm;
  const dir = join(lab.dir, `manager-${manager.replace(' ', '-')}`);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{ "private": true }\n');
  await runCommand(npm.command, [...npm.args, 'install', '--no-audit', '--no-fund', '--loglevel=error', wanted], {
    cwd: dir,
  });
  return { command: join(dir, 'node_modules/.bin', manager.split(' ')[0]!), args: [] };
}
