import { join } from 'node:path';
import { root } from '../../bootstrap/paths.mjs';
import { runCommand } from '../packages/run-command.js';
import { readVersion } from './read-version.js';
import { setTemplateVersions } from './set-template-versions.js';

/**
 * Turns the pending changesets of a repository into versions and changelogs, and returns the version.
 *
 * @param dir the folder of the repository, installed
 */
export async function versionPackages(dir: string): Promise<string> {
  await runCommand(process.execPath, [join(root, 'node_modules/@changesets/cli/bin.js'), 'version'], { cwd: dir });
  const version = readVersion(dir);
  setTemplateVersions(join(dir, 'packages/create-duework/template'), version);
  return version;
}
