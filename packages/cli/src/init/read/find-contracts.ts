import { posix } from 'node:path';
import { PlainError } from '../../plain-error.js';
import type { ContractsPackage, ProjectFiles } from '../project.js';
import { detectZod } from './detect-zod.js';
import { listPackages } from './list-packages.js';
import { dependenciesOf, parsePackageJson, type PackageJson } from './read-package-json.js';

/** The root of a workspace is one of the folders above. */
const LEVELS = 5;
const OWN = '@duework/contracts';
const VALIDATORS = ['zod', 'valibot', 'arktype'] as const;

/**
 * The package of the workspace that keeps the contracts: the one that is named, or the one that depends on
 * `@duework/contracts`; undefined: there is none, or there are several.
 *
 * @param ownName - of the project, which is none
 * @param named - its folder, from the project's
 * @throws PlainError `package_not_found`: there is no package in the folder that is named
 */
export function findContracts(
  files: ProjectFiles,
  ownName: string | undefined,
  named: string | undefined,
): ContractsPackage | undefined {
  const found = named === undefined ? listCandidates(files, ownName) : [posix.normalize(named).replace(/\/$/, '')];
  const [path] = found;
  if (path === undefined || found.length > 1) return undefined;
  const json = jsonOf(files, path);
  if (json?.name === undefined)
    throw new PlainError('package_not_found', `${path} is not the folder of a package with a name.`);
  const { entry } = json;
  const isTyped = files.read(`${path}/tsconfig.json`) !== undefined || /\.[cm]?tsx?$/.test(entry);
  const versions = dependenciesOf(json);
  const validator = VALIDATORS.find((name) => versions.has(name)) ?? 'zod';
  const extension = isTyped ? 'ts' : 'js';
  const sourceDir = files.hasFolder(`${path}/src`) ? `${path}/src` : path;
  return {
    path,
    name: json.name,
    define: versions.has(OWN) ? OWN : 'duework',
    validator,
    zod: detectZod(below(files, `${path}/`), validator === 'zod' ? versions.get('zod') : undefined),
    file: `${sourceDir}/say-hello.${extension}`,
    index: `${sourceDir}/index.${extension}`,
    isBuilt: json.scripts?.['build'] !== undefined && !/\.[cm]?tsx?$/.test(entry),
  };
}

function listCandidates(files: ProjectFiles, ownName: string | undefined): string[] {
  for (let level = 0, up = ''; level < LEVELS; level++, up += '../') {
    const packages = listPackages(below(files, up), parsePackageJson(files.read(`${up}package.json`)));
    if (packages === undefined) continue;
    return packages.map((path) => `${up}${path}`).filter((path) => isForContracts(files, path, ownName));
  }
  return [];
}

/** A program may depend on both; a package.json that is broken is somebody else's to mend. */
function isForContracts(files: ProjectFiles, path: string, ownName: string | undefined): boolean {
  try {
    const json = jsonOf(files, path);
    const names = dependenciesOf(json ?? {});
    return json?.name !== ownName && names.has(OWN) && !names.has('duework');
  } catch {
    return false;
  }
}

const below = (files: ProjectFiles, up: string): ProjectFiles => ({
  name: files.name,
  read: (path) => files.read(`${up}${path}`),
  hasFolder: (path) => files.hasFolder(`${up}${path}`),
  foldersIn: (path) => files.foldersIn(`${up}${path}`),
});

/** With the file that others import. */
function jsonOf(files: ProjectFiles, path: string): (PackageJson & { readonly entry: string }) | undefined {
  const text = files.read(`${path}/package.json`);
  if (text === undefined) return undefined;
  const json = parsePackageJson(text) as PackageJson & { readonly main?: string; readonly exports?: Entry };
  return { ...json, entry: entryOf(json.exports) ?? json.main ?? '' };
}

type Entry = string | { readonly [key: string]: Entry } | undefined;

/** What Node takes of `exports`. */
function entryOf(entry: Entry): string | undefined {
  if (typeof entry !== 'object') return entry;
  return entryOf(entry['.'] ?? entry['import'] ?? entry['default'] ?? entry['require']);
}
