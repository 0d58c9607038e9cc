import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { runCommand } from '../../kit/run-command.js';
import { readVersion } from './read-version.js';
import { setAskedVersions } from './set-asked-versions.js';

/** Projects that install the packages as users do. */
const PROJECTS = ['examples'];

/**
 * Turns the pending changesets of a repository into versions and changelogs, and returns the version.
 *
 * @param dir the folder of the repository, installed
 */
export async function versionPackages(dir: string): Promise<string> {
  await runCommand(process.execPath, [join(root, 'node_modules/@changesets/cli/bin.js'), 'version'], { cwd: dir });
  const version = readVersion(dir);
  for (const folder of PROJECTS) setAskedVersions(join(dir, folder), version);
  return version;
}
