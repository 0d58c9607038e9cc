import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PlainError } from '../plain-error.js';
import type { InitParts } from './init-parts.js';
import { openProjectFiles } from './open-project-files.js';
import { planChanges, type Change } from './plan-changes.js';
import { jobsModuleOf } from './plan-files.js';
import { planInstall, type PlannedInstall } from './plan-install.js';
import { readProject } from './read-project.js';
import { showChanges } from './show-changes.js';
import { showProject } from './show-project.js';
import { tryFirstJob } from './try-first-job.js';

export interface InitOptions {
  readonly isDryRun: boolean;
  readonly isInstalling: boolean;
}

/**
 * Adds jobs to the project of the working directory: writes files that are not there yet, installs what they need,
 * migrates and runs a first job. What is there already stays as it is.
 *
 * @throws PlainError `workspace_root`, `package_json_invalid`, `install_failed`, and as `tryFirstJob`
 */
export async function runInit(parts: InitParts, { isDryRun, isInstalling }: InitOptions): Promise<void> {
  const { cwd, write } = parts;
  const files = openProjectFiles(cwd);
  const project = readProject(files);
  if (project.isWorkspaceRoot)
    throw new PlainError(
      'workspace_root',
      'This is the root of a workspace. Run it where the program is that enqueues, for example: cd apps/api && npx duework init',
    );
  const planned = planChanges(project, files);
  const install = planInstall(project, { hasDatabase: parts.databaseUrl() !== undefined });
  const writes = planned.changes.filter(({ kind }) => kind === 'create' || kind === 'edit');
  write(`${showProject(project)}\n${showChanges(planned, { isWhole: isDryRun })}`);
  write(showInstall(install));
  if (isDryRun) return write('\nNothing was written: this was a dry run.\n');
  if (writes.length + install.commands.length > 0 && !(await parts.confirm('\nGo on?')))
    return write('Nothing was written.\n');

  for (const change of writes) writeChange(cwd, change);
  for (const command of isInstalling ? install.commands : []) await runOrRefuse(parts, command);
  const told = await tryFirstJob(parts, join(resolve(cwd), jobsModuleOf(project)));
  const { packageManager: manager, sourceDir, extension } = project;
  write(`
${told}
Next: ${manager} run jobs:dev, a worker that starts again when a file changes
      ${sourceDir}jobs/greet.${extension}, an enqueue in your own transaction
`);
}

const showInstall = ({ commands }: PlannedInstall): string =>
  commands.map((command) => `install ${command.join(' ')}\n`).join('');

function writeChange(cwd: string, { path, after }: Change): void {
  const file = join(cwd, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, after);
}

async function runOrRefuse({ run, write }: InitParts, command: readonly string[]): Promise<void> {
  write(`\n> ${command.join(' ')}\n`);
  const code = await run(command);
  if (code !== 0)
    throw new PlainError(
      'install_failed',
      `${command.join(' ')} ended with exit code ${code}. The files are written: install by hand, then run npx duework init again.`,
    );
}
