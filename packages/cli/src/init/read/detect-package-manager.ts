import type { PackageManager, ProjectFiles } from '../project.js';
import { parsePackageJson } from './read-package-json.js';

const LOCK_FILES: readonly (readonly [string, PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  // of a workspace in which nothing is installed yet
  ['pnpm-workspace.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
];
/** A workspace's lock file is in one of the folders above. */
const LEVELS = 5;

/** Whose lock file is in the project's folder or the nearest one above it, or whom `packageManager` names; else npm. */
export function detectPackageManager({ read, hasFolder }: ProjectFiles): PackageManager {
  for (let level = 0, up = ''; level < LEVELS; level++, up += '../') {
    const named = /^(npm|pnpm|yarn|bun)@/.exec(parsePackageJson(read(`${up}package.json`)).packageManager ?? '');
    if (named !== null) return named[1] as PackageManager;
    const found = LOCK_FILES.find(([file]) => read(`${up}${file}`) !== undefined);
    if (found !== undefined) return found[1];
    if (hasFolder(`${up}.git`)) break;
  }
  return 'npm';
}
