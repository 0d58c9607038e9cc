import { installCommand } from '../project/install-command.js';
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
  const { installed, extension, client, validator, build, packageManager: manager, rootFlag } = project;
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
    ...(build?.tool === 'esbuild' ? ['esbuild'] : []),
    ...(isTyped && client === 'pg' ? ['@types/pg'] : []),
  ]);
  return {
    commands: [
      ...(dependencies.length === 0 ? [] : [installCommand(manager, dependencies, { isDev: false, rootFlag })]),
      ...(devDependencies.length === 0 ? [] : [installCommand(manager, devDependencies, { isDev: true, rootFlag })]),
    ],
  };
}
