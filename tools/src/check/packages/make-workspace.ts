import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand } from '../../../bootstrap/npm-command.mjs';
import { root } from '../../../bootstrap/paths.mjs';
import { runCommand } from '../../kit/run-command.js';
import { compilers } from './compilers.js';
import { installBeside, installNode } from './install-node.js';
import type { Lab } from '../../kit/run-packed.js';
import { MANAGERS, NODE_OF_PNPM_11, type Pinned, VERSIONS } from './pinned-versions.js';

export type Manager = 'pnpm' | keyof typeof MANAGERS;

const FOLDERS = ['.', 'packages/contracts', 'apps/api', 'apps/worker', 'apps/page'];
const INSTALL: Readonly<Record<string, readonly string[]>> = {
  npm: ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
  pnpm: ['install', '--prefer-offline', '--no-frozen-lockfile'],
  yarn: ['install', '--non-interactive'],
  'yarn 4': ['install', '--no-immutable'],
};

/**
 * Writes and installs the workspace of tools/consumers with the packed packages, by one manager, and returns its folder.
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
  const atRoot = { ...compilers(versions), ...Object.fromEntries(more.map((name) => [name, '*'])) };
  // npm and yarn 1 find a package of the workspace by its version
  const linked = manager === 'npm' || manager === 'yarn 1' ? '1.0.0' : undefined;
  writeWorkspace(lab, dir, { atRoot, linked, packedAs: ({ tarball }) => `file:${tarball}` });
  // the newest yarn has no node_modules unless it is told so
  if (manager === 'yarn 4')
    writeFileSync(join(dir, '.yarnrc.yml'), 'nodeLinker: node-modules\nenableTelemetry: false\n');
  const { command, args, env } = await findManager(lab, manager);
  const install = INSTALL[manager] ?? INSTALL[manager.split(' ')[0]!]!;
  await runCommand(command, [...args, ...install], { cwd: dir, ...(env !== undefined && { env }) });
  return dir;
}

export interface WorkspaceParts {
  /** What the root is developed with besides. */
  readonly atRoot?: Readonly<Record<string, string>>;
  /** In place of `workspace:*`. */
  readonly linked?: string | undefined;
  /** The version that stands for a packed package. */
  readonly packedAs: (packed: Lab['packed'][number]) => string;
}

/** Copies the workspace of tools/consumers: `*` of its manifests becomes the packed package, or the pinned version. */
export function writeWorkspace(lab: Lab, dir: string, { atRoot = {}, linked, packedAs }: WorkspaceParts): void {
  cpSync(join(root, 'tools/consumers/workspace'), dir, { recursive: true });
  const resolve = (given: object = {}): object => {
    const versions = Object.entries(given as Record<string, string>).map(([name, version]) => {
      if (version.startsWith('workspace:')) return [name, linked ?? version];
      if (version !== '*') return [name, version];
      const packed = lab.packed.find((each) => each.name === name);
      return [name, packed === undefined ? VERSIONS[name as Pinned] : packedAs(packed)];
    });
    return Object.fromEntries(versions) as object;
  };
  for (const folder of FOLDERS) {
    const path = join(dir, folder, 'package.json');
    const given = JSON.parse(readFileSync(path, 'utf8')) as Record<'dependencies' | 'devDependencies', object>;
    const dependencies = resolve(given.dependencies);
    const devDependencies = resolve({ ...given.devDependencies, ...(folder === '.' && atRoot) });
    writeFileSync(path, `${JSON.stringify({ ...given, dependencies, devDependencies }, null, 2)}\n`);
  }
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The program of a manager; those that the repository does not have are installed beside. */
async function findManager(lab: Lab, manager: Manager): Promise<Program> {
  if (manager === 'pnpm') return { command: join(lab.pnpmDir, 'pnpm'), args: [] };
  const wanted = MANAGERS[manager];
  if (wanted === null) return npmCommand();
  const dir = join(lab.dir, `manager-${manager.replace(' ', '-')}`);
  await installBeside(dir, wanted);
  const program = { command: join(dir, 'node_modules/.bin', manager.split(' ')[0]!), args: [] };
  return manager === 'pnpm 11' ? { ...program, env: { PATH: await installNode(lab, NODE_OF_PNPM_11) } } : program;
}
