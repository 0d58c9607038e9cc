import type { PackageManager, Project } from './project.js';

export interface PlannedInstall {
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  /** The commands that install them, none where all is there. */
  readonly commands: readonly (readonly string[])[];
}

/** What the written files need and the project does not depend on yet. */
export function planInstall(project: Project): PlannedInstall {
  const { installed, extension, client, validator, packageManager } = project;
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
    '@duework/embedded',
    ...(isTyped ? ['tsx', 'typescript', '@types/node'] : []),
    ...(isTyped && client === 'pg' ? ['@types/pg'] : []),
  ]);
  return {
    dependencies,
    devDependencies,
    commands: [
      ...(dependencies.length === 0 ? [] : [addCommand(packageManager, false, dependencies)]),
      ...(devDependencies.length === 0 ? [] : [addCommand(packageManager, true, devDependencies)]),
    ],
  };
}

function addCommand(manager: PackageManager, isDev: boolean, names: readonly string[]): string[] {
  const verb = manager === 'npm' ? 'install' : 'add';
  return [manager, verb, ...(isDev ? [manager === 'npm' ? '--save-dev' : '-D'] : []), ...names];
}
