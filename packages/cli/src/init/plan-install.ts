import { installCommand } from '../project/install-command.js';
import type { PackageManager, Project } from './project.js';

export interface PlannedInstall {
  /** The commands that install what is missing and build what others import, none where all is there. */
  readonly commands: readonly (readonly string[])[];
}

/**
 * What the written files need and the project does not depend on yet.
 *
 * @param hasDatabase - DATABASE_URL is set, so that none has to be brought
 */
export function planInstall(project: Project, { hasDatabase }: { readonly hasDatabase: boolean }): PlannedInstall {
  const { installed, extension, client, validator, contracts, build, packageManager: manager, rootFlag } = project;
  const isTyped = extension === 'ts';
  const missing = (names: readonly string[]): string[] => names.filter((name) => !installed.has(name));
  // the worker and the command talk to PostgreSQL through pg, whatever the project's own client is
  const dependencies = missing([
    'duework',
    'pg',
    // a package that keeps the contracts has it
    ...(contracts === undefined ? [validator, ...(validator === 'valibot' ? ['@valibot/to-json-schema'] : [])] : []),
  ]);
  const devDependencies = missing([
    ...(hasDatabase ? [] : ['@duework/embedded']),
    ...(isTyped ? ['tsx', 'typescript', '@types/node'] : []),
    ...(build?.tool === 'esbuild' ? ['esbuild'] : []),
    ...(isTyped && client === 'pg' ? ['@types/pg'] : []),
  ]);
  return {
    commands: [
      ...(dependencies.length === 0 ? [] : [installCommand(manager, dependencies, { isDev: false, rootFlag })]),
      ...(contracts === undefined || dependencies.length > 0 || installed.has(contracts.name)
        ? []
        : [[manager, 'install']]),
      ...(devDependencies.length === 0 ? [] : [installCommand(manager, devDependencies, { isDev: true, rootFlag })]),
      ...(contracts?.isBuilt === true ? [buildCommand(manager, contracts.path)] : []),
    ],
  };
}

/** What others import of the contracts is made by a build of their package. */
const buildCommand = (manager: PackageManager, dir: string): string[] =>
  manager === 'npm' || manager === 'pnpm'
    ? [manager, manager === 'npm' ? '--prefix' : '--dir', dir, 'run', 'build']
    : [manager, ...(manager === 'bun' ? ['run'] : []), '--cwd', dir, 'build'];
