import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/**
 * @typedef {object} WorkspacePackage
 * @property {string} name
 * @property {string} folder below the root
 * @property {readonly string[]} needs the names of what it depends on, in the workspace or not
 * @property {readonly string[]} generates the scripts that write its src/generated, below its folder
 * @property {boolean} isBuilt whether it becomes a folder `dist`
 */

/** Every package of the workspace, by its name. @returns {Map<string, WorkspacePackage>} */
export function readWorkspace() {
  const folders = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  );
  /** @type {Map<string, WorkspacePackage>} */
  const packages = new Map();
  for (const folder of [...folders.sort(), 'tools', 'docs']) {
    const manifest = join(root, folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name, dependencies = {}, scripts = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
    packages.set(name, {
      name,
      folder,
      needs: Object.keys(dependencies),
      generates: scripts.generate?.match(/scripts\/\S+/g) ?? [],
      isBuilt: scripts.build !== undefined,
    });
  }
  return packages;
}

/**
 * The packages that `npm start` runs: what the tools depend on, and what that depends on. Dependencies for development,
 * the tools' own among them, belong to the other programs.
 *
 * @returns {readonly WorkspacePackage[]}
 */
export function listStarted() {
  const packages = readWorkspace();
  /** @type {Set<WorkspacePackage>} */
  const started = new Set();
  /** @param {string} name */
  const add = (name) => {
    const found = packages.get(name);
    if (found === undefined || started.has(found)) return;
    started.add(found);
    found.needs.forEach(add);
  };
  add('@duework/tools');
  return [...started];
}
