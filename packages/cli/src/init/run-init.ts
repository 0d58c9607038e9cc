import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { PlainError } from '../plain-error.js';
import { findPackageDir, nameFrom } from './find-package-dir.js';
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
  /** The folder of the package that gets the jobs; undefined: the working directory. */
  readonly packageDir: string | undefined;
  /** The package that keeps the contracts, from the working directory; undefined: it is looked for. */
  readonly contractsDir: string | undefined;
  readonly isDryRun: boolean;
  readonly isInstalling: boolean;
  readonly isVerbose: boolean;
}

/**
 * Adds jobs to a project: writes files that are not there yet, installs what they need, migrates and runs a first job. What
 * is there already stays as it is.
 *
 * @throws PlainError `package_json_invalid`, `install_failed`, and as `findPackageDir` and `tryFirstJob`
 */
export async function runInit(parts: InitParts, options: InitOptions): Promise<void> {
  const { write, line } = parts;
  const { isDryRun, isInstalling, isVerbose } = options;
  const dir = await findPackageDir(parts, options.packageDir);
  const files = openProjectFiles(dir);
  const { contractsDir } = options;
  const project = readProject(files, contractsDir && nameBetween(dir, resolve(parts.cwd, contractsDir)));
  const planned = planChanges(project, files);
  const install = planInstall(project, { hasDatabase: parts.databaseUrl(dir) !== undefined });
  const writes = planned.changes.filter(({ kind }) => kind === 'create' || kind === 'edit');
  write(`${showProject(project)}\n${showChanges(planned, { isWhole: isDryRun, isVerbose })}`);
  write(showInstall(install));
  if (isDryRun) return write('\nNothing was written: this was a dry run.\n');
  if (writes.length + install.commands.length > 0 && !(await parts.confirm('\nGo on?')))
    return write('Nothing was written.\n');

  for (const change of writes) writeChange(dir, change);
  try {
    for (const command of isInstalling ? install.commands : []) await runOrRefuse(parts, command, dir);
    const told = await tryFirstJob(parts, dir, join(dir, jobsModuleOf(project)));
    line.end();
    const { packageManager: manager, sourceDir, extension } = project;
    const folder = nameFrom(parts.cwd, dir);
    write(`
${told}
Next${folder === undefined ? '' : `, in ${folder}`}: ${manager} run jobs:dev, a worker that starts again when a file changes
      ${sourceDir}jobs/greet.${extension}, an enqueue in your own transaction
`);
  } finally {
    line.end();
  }
}

const nameBetween = (dir: string, to: string): string => relative(dir, to).split(sep).join('/');

const showInstall = ({ commands }: PlannedInstall): string =>
  commands.map((command) => `install ${command.join(' ')}\n`).join('');

function writeChange(dir: string, { path, after }: Change): void {
  const file = join(dir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, after);
}

async function runOrRefuse({ run, line, write }: InitParts, command: readonly string[], dir: string): Promise<void> {
  line.step(`${command.join(' ')} …`);
  const { code, output } = await run(command, dir);
  if (code === 0) return;
  line.end();
  write(output);
  throw new PlainError(
    'install_failed',
    `${command.join(' ')} ended with exit code ${code}. The files are written: install by hand, then run npx duework init again.`,
  );
}
