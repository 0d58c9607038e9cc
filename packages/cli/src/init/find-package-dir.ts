import { relative, resolve } from 'node:path';
import { nameSome } from '@duework/database';
import { PlainError } from '../plain-error.js';
import type { InitParts } from './init-parts.js';
import { openProjectFiles } from './open-project-files.js';
import { readProject } from './read-project.js';

/** So many packages are told in a sentence. */
const TOLD = 10;

/**
 * The folder of the package that gets the jobs: the one that is named, the working directory, or, where that is the root
 * of a workspace without a program of its own, the package that a person chooses.
 *
 * @throws PlainError `package_not_found`; `workspace_root` where nobody can be asked
 */
export async function findPackageDir(
  { cwd, choose }: Pick<InitParts, 'cwd' | 'choose'>,
  named: string | undefined,
): Promise<string> {
  if (named !== undefined) {
    const dir = resolve(cwd, named);
    if (openProjectFiles(dir).read('package.json') !== undefined) return dir;
    throw new PlainError('package_not_found', `${named} is not the folder of a package: it has no package.json.`);
  }
  const { workspace, isProgram } = readProject(openProjectFiles(cwd));
  if (workspace === undefined || isProgram) return cwd;
  const likely = workspace.toSorted((a, b) => Number(isProgramIn(cwd, b)) - Number(isProgramIn(cwd, a)));
  const chosen = likely.length === 0 ? undefined : await choose?.('Which package enqueues?', likely);
  if (chosen !== undefined) return resolve(cwd, chosen);
  throw new PlainError('workspace_root', refuse(likely));
}

/** A package whose package.json is broken is one, too: it is refused once it is chosen. */
function isProgramIn(cwd: string, path: string): boolean {
  try {
    return readProject(openProjectFiles(resolve(cwd, path))).isProgram;
  } catch {
    return false;
  }
}

function refuse(packages: readonly string[]): string {
  const [first] = packages;
  if (first === undefined)
    return 'This is the root of a workspace that has no packages yet. Make one, or say that the root is meant: npx duework init --in .';
  return `This is the root of a workspace. Say which package enqueues: npx duework init --in ${first}. It has ${nameSome(packages, TOLD)}.`;
}

/** How a folder is named from the working directory; undefined: it is the same. */
export const nameFrom = (cwd: string, dir: string): string | undefined => relative(cwd, dir) || undefined;
