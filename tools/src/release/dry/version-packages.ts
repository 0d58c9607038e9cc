import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { runCommand } from '../../kit/run-command.js';
import { readVersion } from './read-dumps.js';

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

const OURS = /"(duework|@duework\/[\w-]+)": "\^[^"]+"/g;

/** Lets every package.json below a folder of projects ask for the packages of this release: they are released together. */
function setAskedVersions(folder: string, version: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') setAskedVersions(path, version);
    if (entry.name !== 'package.json') continue;
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(OURS, `"$1": "^${version}"`));
  }
}
